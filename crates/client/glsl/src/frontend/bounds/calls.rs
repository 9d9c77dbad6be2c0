//! How deep functions call each other, and how large the stage is when each call stands for what it calls. Of functions with
//! one name a call means each that is defined before it, or each that follows when there is none.

use std::collections::{HashMap, HashSet};

use super::{MAX_CALL_PAIRS, MAX_CALLS, MAX_FUNCTIONS, MAX_INLINED, Mistake, deeper};
use crate::frontend::scan::Token;

/// A function with its body.
struct Function<'a> {
    line: usize,
    tokens: u64,
    /// Names that it calls, as often as it does.
    calls: HashMap<&'a str, u64>,
}

/// What a function comes to.
#[derive(Clone, Copy)]
enum Cost {
    /// It is being looked at: it calls itself, which is for others to refuse.
    Open,
    Known {
        depth: u32,
        tokens: u64,
    },
}

struct Graph<'a> {
    functions: Vec<Function<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    costs: Vec<Option<Cost>>,
}

/// Refuses a stage whose functions are too many or call too deep.
pub fn check(all: &[Vec<Token<'_>>]) -> Result<(), Mistake> {
    let mut graph = Graph { functions: Vec::new(), by_name: HashMap::new(), costs: Vec::new() };
    for tokens in all {
        graph.read(tokens)?;
    }
    let names: HashSet<&str> = graph.by_name.keys().copied().collect();
    let mut pairs = 0;
    for function in &mut graph.functions {
        function.calls.retain(|name, _| names.contains(name));
        pairs += function.calls.len();
        if pairs > MAX_CALL_PAIRS {
            return deeper(function.line, "too many functions call others", MAX_CALL_PAIRS);
        }
    }
    graph.costs = vec![None; graph.functions.len()];
    (0..graph.functions.len()).try_for_each(|at| graph.cost(at, 1).map(|_| ()))
}

impl<'a> Graph<'a> {
    fn read(&mut self, tokens: &[Token<'a>]) -> Result<(), Mistake> {
        let (mut braces, mut parentheses, mut name, mut inside) = (0u32, 0u32, None, false);
        for (at, token) in tokens.iter().enumerate() {
            let next = tokens.get(at + 1).map_or("", |t| t.text);
            match token.text {
                "{" => {
                    let body = at.checked_sub(1).and_then(|b| tokens.get(b)).is_some_and(|b| b.text == ")");
                    if let Some(name) = name.take().filter(|_| braces == 0 && body) {
                        self.by_name.entry(name).or_default().push(self.functions.len());
                        inside = true;
                        self.functions.push(Function { line: token.line, tokens: 0, calls: HashMap::new() });
                        if self.functions.len() > MAX_FUNCTIONS {
                            return deeper(token.line, "too many functions", MAX_FUNCTIONS);
                        }
                    }
                    braces += 1;
                }
                "}" => {
                    braces = braces.saturating_sub(1);
                    inside &= braces > 0;
                }
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                ";" if braces == 0 => name = None,
                word if next == "(" && braces == 0 && parentheses == 0 => name = Some(word),
                _ => {}
            }
            if let Some(function) = self.functions.last_mut().filter(|_| inside) {
                function.tokens += 1;
                if next == "(" && token.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    *function.calls.entry(token.text).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// The functions that a call in the function `at` may mean.
    fn meant(&self, at: usize, name: &str) -> Vec<usize> {
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let before: Vec<usize> = all.iter().copied().filter(|other| *other < at).collect();
        if before.is_empty() { all.iter().copied().filter(|other| *other != at).collect() } else { before }
    }

    /// Depth and tokens of a function; `level` bounds the recursion.
    fn cost(&mut self, at: usize, level: u32) -> Result<(u32, u64), Mistake> {
        let line = self.functions.get(at).map_or(0, |f| f.line);
        match self.costs.get(at) {
            Some(Some(Cost::Known { depth, tokens })) => return Ok((*depth, *tokens)),
            Some(Some(Cost::Open)) => return Ok((0, 0)),
            _ if level > MAX_CALLS => return deeper(line, "functions call each other too deep", MAX_CALLS),
            _ => {}
        }
        self.costs[at] = Some(Cost::Open);
        let calls: Vec<(&str, u64)> =
            self.functions.get(at).iter().flat_map(|f| &f.calls).map(|(n, c)| (*n, *c)).collect();
        let (mut depth, mut tokens) = (0, self.functions.get(at).map_or(0, |f| f.tokens));
        for (name, times) in calls {
            let mut largest = 0;
            for other in self.meant(at, name) {
                let (d, t) = self.cost(other, level + 1)?;
                depth = depth.max(d);
                largest = largest.max(t);
            }
            tokens = tokens.saturating_add(largest.saturating_mul(times));
        }
        depth += 1;
        if depth > MAX_CALLS {
            return deeper(line, "functions call each other too deep", MAX_CALLS);
        }
        if tokens > MAX_INLINED {
            return deeper(line, "functions have too many tokens where they are called", MAX_INLINED);
        }
        self.costs[at] = Some(Cost::Known { depth, tokens });
        Ok((depth, tokens))
    }
}
