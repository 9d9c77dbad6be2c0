//! `mutate`: applies each kept mutation to a scratch copy of the tree and shows that its test fails, for the reason the
//! mutation says (design §12, "red once"). A mutation that nothing catches is a missing test. Must not touch the tree
//! itself, but for the page of results.

mod list;
mod results;
mod run;
mod scratch;

use std::path::PathBuf;

use list::Mutation;
use results::Results;
use scratch::Scratch;

const USAGE: &str = "usage: xtask mutate [--list] [--again] [--write] [NAME…]
  no NAME    every mutation whose result is not known yet, then the table
  NAME…      these, those whose name begins so, and those of a package
  --list     only shows what there is, and runs nothing
  --again    also those whose result is known
  --write    writes the table to docs/mutations.md";

/// The page with the observed results.
const PAGE: &str = "docs/mutations.md";

#[derive(Default)]
struct Wishes {
    list: bool,
    again: bool,
    write: bool,
    names: Vec<String>,
}

impl Wishes {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let mut wishes = Self::default();
        for word in words {
            match *word {
                "--list" => wishes.list = true,
                "--again" => wishes.again = true,
                "--write" => wishes.write = true,
                other if other.starts_with('-') => return Err(USAGE.to_owned()),
                name => wishes.names.push(name.to_owned()),
            }
        }
        Ok(wishes)
    }
    fn wants(&self, mutation: &Mutation) -> bool {
        self.names.is_empty()
            || self.names.iter().any(|name| mutation.name.starts_with(name.as_str()) || mutation.package == *name)
    }
}

/// Where scratch copy, build and results are kept: beside the other build results.
fn work() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    target.join("mutate")
}

fn write_page(results: &Results, all: &[Mutation]) -> Result<(), String> {
    let page = crate::root().join(PAGE);
    std::fs::write(&page, results.page(all)).map_err(|e| format!("{}: {e}", page.display()))
}

/// Runs what the words ask for.
pub fn main(words: &[&str]) -> Result<(), String> {
    let wishes = Wishes::parse(words)?;
    let all = list::read(&crate::root())?;
    let wanted: Vec<&Mutation> = all.iter().filter(|m| wishes.wants(m)).collect();
    if wanted.is_empty() {
        return Err(format!("no mutation has such a name\n{USAGE}"));
    }
    let mut results = Results::load(&work());
    if wishes.list {
        wanted.iter().for_each(|m| println!("{:28} {:14} {}", m.name, m.package, m.why));
        return if wishes.write { write_page(&results, &all) } else { Ok(()) };
    }
    let due: Vec<&Mutation> = wanted.iter().copied().filter(|m| wishes.again || !results.knows(m)).collect();
    if !due.is_empty() {
        let scratch = Scratch::refresh(&crate::root(), &work())?;
        run::all(&scratch, &due, &mut results)?;
    }
    println!("{}", results.table(&wanted));
    if wishes.write {
        write_page(&results, &all)?;
    }
    results.verdict(&wanted)
}

#[cfg(test)]
mod tests {
    use super::{PAGE, list};

    /// A mutation that does not apply any more proves nothing, and the list would wither unseen: each must fit the tree
    /// exactly once, and have a result on the page.
    #[test]
    fn every_mutation_fits_the_tree_once() {
        let all = list::read(&crate::root()).unwrap();
        assert!(all.len() >= 30, "only {} mutations are kept", all.len());
        let page = std::fs::read_to_string(crate::root().join(PAGE)).unwrap_or_default();
        let mut complaints = Vec::new();
        for mutation in &all {
            let path = crate::root().join(&mutation.file);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if let Err(text) = mutation.apply(&text) {
                complaints.push(format!("{}: {text}", mutation.name));
            }
            if !page.contains(&format!("| {} |", mutation.name)) {
                complaints.push(format!("{}: {PAGE} has no result; run ./x mutate --write", mutation.name));
            }
        }
        assert!(complaints.is_empty(), "{complaints:#?}");
    }
}
