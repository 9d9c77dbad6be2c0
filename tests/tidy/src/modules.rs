//! No cycles between the top-level modules of a crate: each can be read knowing only those below it.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenTree;

use crate::metadata::members;
use crate::tokens::{each_level, is_punct, is_word, parse, without_tests};
use crate::tree::{Source, assert_none, rust, sources};

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The top-level module a file belongs to: `src/a.rs` and `src/a/b.rs` are of `a`; the crate root is of none.
fn module_of(path_in_src: &str) -> Option<&str> {
    let first = path_in_src.split('/').next()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(name, "lib" | "main" | "bin")).then_some(name)
}

/// A file of tests, or of what only tests use: by the name that such modules have here.
fn is_test_file(path_in_src: &str) -> bool {
    let name = path_in_src.rsplit('/').next().unwrap_or(path_in_src);
    matches!(name, "tests.rs" | "testing.rs") || name.ends_with("_tests.rs")
}

/// Every name that follows `crate::`, also in `crate::{a, b::c}`.
fn names_after_crate(tokens: &[TokenTree]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_level(tokens, &mut |level| {
        for (at, window) in level.windows(4).enumerate() {
            // `$crate` stands in a macro: what it names is used where the macro is.
            let in_macro = at > 0 && is_punct(&level[at - 1], '$');
            if in_macro || !is_word(&window[0], "crate") || !is_punct(&window[1], ':') {
                continue;
            }
            match &window[3] {
                TokenTree::Ident(ident) => {
                    names.insert(ident.to_string());
                }
                TokenTree::Group(group) => names.extend(first_names(group.stream().into_iter())),
                _ => {}
            }
        }
    });
    names
}

/// The first name of each entry of a braced import list.
fn first_names(tokens: impl Iterator<Item = TokenTree>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut at_start = true;
    for token in tokens {
        if is_punct(&token, ',') {
            at_start = true;
        } else if at_start {
            at_start = false;
            if let TokenTree::Ident(ident) = &token {
                names.insert(ident.to_string());
            }
        }
    }
    names
}

/// Names the crate root re-exports, and the module each comes from: using them is using that module.
fn re_exports(root: &Source) -> BTreeMap<String, String> {
    let tokens = without_tests(parse(&root.path, &root.text));
    let mut found = BTreeMap::new();
    for statement in tokens.split(|token| is_punct(token, ';')) {
        let Some(start) = statement.iter().position(|token| is_word(token, "use")) else { continue };
        let words: Vec<&TokenTree> = statement[start + 1..].iter().filter(|token| !is_punct(token, ':')).collect();
        let Some(TokenTree::Ident(module)) = words.first() else { continue };
        each_level(&statement[start + 1..], &mut |level| {
            for token in level {
                if let TokenTree::Ident(name) = token {
                    found.insert(name.to_string(), module.to_string());
                }
            }
        });
    }
    found
}

/// Edges that are known and argued for: crate, from, to, reason. `*` as either end stands for every module.
const EXCUSED: &str = "tests/tidy/data/module-edges.tsv";

fn excused() -> Vec<[String; 3]> {
    let list = sources(|path| path == EXCUSED).remove(0);
    let rows = list.text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        assert!(columns.len() == 4 && columns[3].len() > 20, "{EXCUSED}: four columns with a reason, not {line:?}");
        [columns[0].to_owned(), columns[1].to_owned(), columns[2].to_owned()]
    })
    .collect()
}

fn without_excused(mut graph: Graph, name: &str, excused: &[[String; 3]]) -> Graph {
    let fits = |pattern: &String, value: &String| pattern == "*" || pattern == value;
    for (from, targets) in &mut graph {
        targets.retain(|to| !excused.iter().any(|row| row[0] == name && fits(&row[1], from) && fits(&row[2], to)));
    }
    graph
}

fn graph_of(files: &[&Source], folder: &str) -> Graph {
    let source_folder = format!("{folder}/src/");
    let in_src = |file: &Source| file.path[source_folder.len()..].to_owned();
    let modules: BTreeSet<String> =
        files.iter().filter_map(|file| module_of(&in_src(file)).map(str::to_owned)).collect();
    let root = files.iter().find(|file| matches!(in_src(file).as_str(), "lib.rs" | "main.rs"));
    let aliases = root.map(|root| re_exports(root)).unwrap_or_default();
    let mut graph = Graph::new();
    for file in files.iter().filter(|file| !file.is_generated() && !is_test_file(&in_src(file))) {
        let path = in_src(file);
        let Some(module) = module_of(&path) else { continue };
        let tokens = without_tests(parse(&file.path, &file.text));
        for name in names_after_crate(&tokens) {
            let target = if modules.contains(&name) { Some(&name) } else { aliases.get(&name) };
            if let Some(target) = target.filter(|target| *target != module && modules.contains(*target)) {
                graph.entry(module.to_owned()).or_default().insert(target.clone());
            }
        }
    }
    graph
}

/// A cycle, as the names along it, when there is one.
fn cycle_in(graph: &Graph) -> Option<Vec<String>> {
    let mut finished = BTreeSet::new();
    graph.keys().find_map(|start| walk(graph, start, &mut Vec::new(), &mut finished))
}

fn walk(graph: &Graph, at: &str, path: &mut Vec<String>, finished: &mut BTreeSet<String>) -> Option<Vec<String>> {
    if let Some(position) = path.iter().position(|name| name == at) {
        let mut cycle = path[position..].to_vec();
        cycle.push(at.to_owned());
        return Some(cycle);
    }
    if finished.contains(at) {
        return None;
    }
    path.push(at.to_owned());
    let found = graph.get(at).into_iter().flatten().find_map(|next| walk(graph, next, path, finished));
    path.pop();
    finished.insert(at.to_owned());
    found
}

/// If this fails, two modules can only be understood, tested and changed together.
#[test]
fn top_level_modules_form_no_cycle() {
    let (files, excused) = (rust(), excused());
    let mut complaints = Vec::new();
    for member in members() {
        let own: Vec<&Source> = files.iter().filter(|file| file.crate_folder() == Some(&member.folder)).collect();
        let graph = without_excused(graph_of(&own, &member.folder), &member.name, &excused);
        if let Some(cycle) = cycle_in(&graph) {
            complaints.push(format!("{}: {}", member.name, cycle.join(" -> ")));
        }
    }
    assert_none("cycles between top-level modules", &complaints);
}

/// If this fails, cycles hidden behind import lists, nested modules or re-exports go unseen.
#[test]
fn cycles_are_found_through_lists_and_re_exports() {
    let file = |path: &str, text: &str| Source { path: format!("crates/x/src/{path}"), text: text.into() };
    let root = file("lib.rs", "mod a; mod b; mod c; pub use c::Thing;");
    let a = file("a/deep.rs", "use crate::{b::One, c};");
    let b = file("b.rs", "fn f() -> crate::c::Two { unknown }");
    let tests = file("c/tests.rs", "use crate::a::One;");
    let quiet = file("c.rs", "#[cfg(test)] mod tests { use crate::a; }");
    assert_eq!(cycle_in(&graph_of(&[&root, &a, &b, &quiet, &tests], "crates/x")), None);
    let b = file("b.rs", "use crate::Thing;");
    let c = file("c.rs", "use crate::b::Other;");
    assert_eq!(cycle_in(&graph_of(&[&root, &a, &b, &c], "crates/x")).unwrap(), ["b", "c", "b"]);
}
