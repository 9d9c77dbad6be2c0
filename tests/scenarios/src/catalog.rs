//! All scenarios, in the order of their names. Must not know what they do.

use std::sync::OnceLock;

use crate::groups::GROUPS;
use crate::scenario::Scenario;

/// Every scenario.
pub fn all() -> &'static [Scenario] {
    static ALL: OnceLock<Vec<Scenario>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all: Vec<Scenario> =
            GROUPS.iter().flat_map(|lists| lists.iter()).flat_map(|l| l.iter()).copied().collect();
        all.sort_by_key(Scenario::full_name);
        all
    })
}

#[cfg(test)]
mod tests {
    use super::all;

    /// If this fails, two scenarios share a name and the result of one stands for both.
    #[test]
    fn names_are_unique() {
        let names: Vec<String> = all().iter().map(|scenario| scenario.full_name()).collect();
        let mut unique = names.clone();
        unique.dedup();
        assert_eq!(names, unique);
    }
}
