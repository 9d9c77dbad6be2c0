//! What is known not to work yet, as data: `tests/expectations/windows/failures.tsv`, a test's name and the reason in each
//! line. Must not know what the tests do.

use mgl_programs::{Result, tools};

/// The reason for which a test is expected to fail.
pub fn reason(list: &str, name: &str) -> Option<String> {
    let rows = list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.filter(|(test, _)| *test == name).map(|(_, why)| why.to_owned()).next()
}

/// The test's own word, unless it stands in the list: there a failure is what is expected, and a success is said aloud so
/// that the line is taken out.
///
/// # Errors
/// The test's own, when it is not expected.
pub fn judged(name: &str, outcome: Result<()>) -> Result<()> {
    let path = tools::root().join("tests/expectations/windows/failures.tsv");
    let list = std::fs::read_to_string(path).unwrap_or_default();
    match (reason(&list, name), outcome) {
        (None, outcome) => outcome,
        (Some(why), Err(error)) => {
            println!("{name}: fails as expected: {why}\n{error}");
            Ok(())
        }
        (Some(_), Ok(())) => {
            println!("better: {name} passes: take it out of tests/expectations/windows/failures.tsv");
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    /// If this fails, a test that is not listed could fail unseen, or a listed one stop everything.
    #[test]
    fn only_whole_names_count() {
        let list = "# comment\tno\nx11::still\twhy";
        assert_eq!(reason(list, "x11::still").as_deref(), Some("why"));
        assert_eq!(reason(list, "x11::stil"), None);
        assert_eq!(reason(list, "# comment"), None);
    }
}
