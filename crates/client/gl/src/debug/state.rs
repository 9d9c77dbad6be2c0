//! State of KHR_debug (GL 4.6 §20). Must not push records.

use crate::abi::DebugSink;
use crate::context::ContextDesc;
use std::collections::{HashMap, VecDeque};

/// Messages kept when there is no callback (`GL_MAX_DEBUG_LOGGED_MESSAGES`).
pub(crate) const MAX_LOGGED: usize = 256;
/// Bytes of a message with its terminator (`GL_MAX_DEBUG_MESSAGE_LENGTH`).
pub(crate) const MAX_LENGTH: usize = 4096;
/// Nested groups (`GL_MAX_DEBUG_GROUP_STACK_DEPTH`).
pub(crate) const MAX_GROUPS: usize = 64;
/// Bytes of a label with its terminator (`GL_MAX_LABEL_LENGTH`).
pub(crate) const MAX_LABEL: usize = 256;

/// One message of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedMessage {
    /// `GL_DEBUG_SOURCE_*`.
    pub source: u32,
    /// `GL_DEBUG_TYPE_*`.
    pub kind: u32,
    /// Id.
    pub id: u32,
    /// `GL_DEBUG_SEVERITY_*`.
    pub severity: u32,
    /// Text.
    pub text: String,
}

/// One `glDebugMessageControl`: `GL_DONT_CARE` matches everything; the newest match decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) source: u32,
    pub(crate) kind: u32,
    pub(crate) severity: u32,
    pub(crate) id: Option<u32>,
    pub(crate) enabled: bool,
}

/// A pushed group: its message and how many rules stood before it.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) message: LoggedMessage,
    pub(crate) rules: usize,
}

/// State of the group in one context.
#[derive(Default)]
pub struct State {
    pub(crate) sink: Option<Box<dyn DebugSink>>,
    pub(crate) log: VecDeque<LoggedMessage>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) groups: Vec<Group>,
    /// Labels by identifier token and name.
    pub(crate) labels: HashMap<(u32, u64), String>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("logged", &self.log.len()).field("groups", &self.groups.len()).finish()
    }
}

impl State {
    /// Initial state.
    pub fn new(_desc: &ContextDesc) -> Self {
        Self::default()
    }
    /// Whether a message passes the filters; low severity starts disabled (GL 4.6 §20.4).
    pub(crate) fn passes(&self, message: &LoggedMessage) -> bool {
        let any = crate::tokens::DONT_CARE;
        let hit = |rule: &&Rule| {
            (rule.source == any || rule.source == message.source)
                && (rule.kind == any || rule.kind == message.kind)
                && (rule.severity == any || rule.severity == message.severity)
                && rule.id.is_none_or(|id| id == message.id)
        };
        let default = message.severity != crate::tokens::DEBUG_SEVERITY_LOW;
        self.rules.iter().rev().find(hit).map_or(default, |rule| rule.enabled)
    }
}
