//! Reads the Khronos XML that the `gloam` package carries: commands, parameters, aliases. Knows nothing of MobileGL.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use roxmltree::{Document, Node};

/// One C parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    /// C type text without the name, single spaces.
    pub ctype: String,
}

/// One C command.
#[derive(Clone, Debug)]
pub struct Command {
    pub name: String,
    pub ret: String,
    pub params: Vec<Param>,
    /// Name of the command this one is declared equal to.
    pub alias: Option<String>,
}

/// All commands of desktop OpenGL.
#[derive(Debug)]
pub struct Registry {
    pub commands: BTreeMap<String, Command>,
    /// Names required by a desktop feature or by an extension that supports `gl` or `glcore`.
    pub desktop: Vec<String>,
    /// Commands that each desktop extension requires in a core profile.
    pub extensions: BTreeMap<String, Vec<String>>,
    /// Commands that the core profile removed or never had, and that no later version gave it.
    pub removed: Vec<String>,
}

/// Finds gl.xml inside the package folder of `gloam` through cargo metadata.
pub fn xml_path(root: &Path) -> Result<PathBuf, String> {
    let out = Process::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo metadata did not start: {e}"))?;
    if !out.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&out.stderr)));
    }
    let meta: serde_json::Value = serde_json::from_slice(&out.stdout).map_err(|e| e.to_string())?;
    let manifest = meta["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|p| p["name"] == "gloam")
        .and_then(|p| p["manifest_path"].as_str())
        .ok_or("package gloam is not in the dependency graph; xtask's Cargo.toml names it")?;
    let path = Path::new(manifest).with_file_name("bundled").join("xml").join("gl.xml");
    if path.exists() { Ok(path) } else { Err(format!("{} does not exist", path.display())) }
}

impl Registry {
    /// Parses the file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let doc = Document::parse(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let top = doc.root_element();
        let mut commands = BTreeMap::new();
        for node in top.children().filter(|n| n.has_tag_name("commands")).flat_map(|n| n.children()) {
            if node.has_tag_name("command")
                && let Some(cmd) = command(node)
            {
                commands.insert(cmd.name.clone(), cmd);
            }
        }
        let mut desktop: Vec<String> = top
            .descendants()
            .filter(|n| is_desktop(n))
            .flat_map(|n| n.descendants())
            .filter(|n| n.has_tag_name("command") && n.parent().is_some_and(|p| p.has_tag_name("require")))
            .filter_map(|n| n.attribute("name"))
            .map(str::to_owned)
            .collect();
        desktop.sort();
        desktop.dedup();
        let extensions = top
            .descendants()
            .filter(|n| n.has_tag_name("extension") && is_desktop(n))
            .filter_map(|n| Some((n.attribute("name")?.to_owned(), required(n))))
            .collect();
        Ok(Self { commands, desktop, extensions, removed: removed(top) })
    }
}

fn is_desktop(node: &Node) -> bool {
    if node.has_tag_name("feature") {
        return node.attribute("api") == Some("gl");
    }
    node.has_tag_name("extension")
        && node.attribute("supported").is_some_and(|s| s.split('|').any(|api| api == "gl" || api == "glcore"))
}

/// What features take out of the core profile or give to the compatibility profile alone, less what a feature after that one
/// requires again.
fn removed(top: Node) -> Vec<String> {
    let mut gone: BTreeSet<String> = BTreeSet::new();
    for feature in top.children().filter(|n| n.has_tag_name("feature") && is_desktop(n)) {
        let names = |tag: &'static str, compatibility: bool| {
            let of = move |n: &Node| (n.attribute("profile") == Some("compatibility")) == compatibility;
            let parts = feature.children().filter(move |n| n.has_tag_name(tag) && of(n)).flat_map(|n| n.children());
            parts.filter(|n| n.has_tag_name("command")).filter_map(|n| n.attribute("name")).map(str::to_owned)
        };
        for name in names("require", false) {
            gone.remove(&name);
        }
        gone.extend(names("remove", false).chain(names("require", true)));
    }
    gone.into_iter().collect()
}

/// Commands an extension requires of desktop core profiles.
fn required(extension: Node) -> Vec<String> {
    let core = |n: &Node| {
        n.attribute("api").is_none_or(|api| api == "gl" || api == "glcore")
            && n.attribute("profile") != Some("compatibility")
    };
    extension
        .children()
        .filter(|n| n.has_tag_name("require") && core(n))
        .flat_map(|n| n.children())
        .filter(|n| n.has_tag_name("command"))
        .filter_map(|n| n.attribute("name"))
        .map(str::to_owned)
        .collect()
}

fn command(node: Node) -> Option<Command> {
    let proto = node.children().find(|n| n.has_tag_name("proto"))?;
    let (ret, name) = typed_name(proto)?;
    let params = node
        .children()
        .filter(|n| n.has_tag_name("param"))
        .filter_map(typed_name)
        .map(|(ctype, name)| Param { name, ctype })
        .collect();
    let alias = node.children().find(|n| n.has_tag_name("alias")).and_then(|n| n.attribute("name")).map(str::to_owned);
    Some(Command { name, ret, params, alias })
}

/// Splits `const GLchar *<name>label</name>` into type text and name.
fn typed_name(node: Node) -> Option<(String, String)> {
    let name = node.children().find(|n| n.has_tag_name("name"))?.text()?.trim().to_owned();
    let mut text = String::new();
    for part in node.children().filter(|n| !n.has_tag_name("name")) {
        text.extend(part.descendants().filter(Node::is_text).filter_map(|n| n.text()));
        text.push(' ');
    }
    let spaced = text.replace('*', " * ");
    Some((spaced.split_whitespace().collect::<Vec<_>>().join(" "), name))
}
