//! The drivers a program can be run on: Mesa's as references, MobileGL on each backend and transport.

/// What draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Vulkan, here lavapipe.
    Magma,
    /// OpenGL ES, here llvmpipe's.
    Espryt,
}

/// Where the driver runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// On the program's thread.
    Monolith,
    /// On a second thread.
    Inproc,
    /// In a child process.
    Spawn,
    /// In a server reached over a TCP loopback connection.
    Tcp,
}

/// A driver, and for MobileGL where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Mesa's llvmpipe: the reference.
    Reference,
    /// Mesa's GL on the same Vulkan driver MobileGL uses: the peer for measurements.
    Zink,
    /// MobileGL.
    MobileGl(Backend, Transport),
}

impl Backend {
    /// The value of `--backend` and of `backend=` in the server's log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Magma => "magma",
            Self::Espryt => "espryt",
        }
    }
}

impl Transport {
    /// The value of `transport=` in the server's log and the part of test names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Monolith => "monolith",
            Self::Inproc => "inproc",
            Self::Spawn => "spawn",
            Self::Tcp => "tcp",
        }
    }

    /// True when the driver is not in the program's process.
    pub fn has_process(self) -> bool {
        matches!(self, Self::Spawn | Self::Tcp)
    }
}

impl Lane {
    /// Magma on the program's thread: what the other transports of Magma are compared with.
    pub const MONOLITH: Self = Self::MobileGl(Backend::Magma, Transport::Monolith);
    /// Magma on a second thread.
    pub const INPROC: Self = Self::MobileGl(Backend::Magma, Transport::Inproc);
    /// Magma in a child process: the default.
    pub const SPAWN: Self = Self::MobileGl(Backend::Magma, Transport::Spawn);
    /// Magma behind a TCP connection.
    pub const TCP: Self = Self::MobileGl(Backend::Magma, Transport::Tcp);
    /// Espryt on the program's thread.
    pub const ESPRYT_MONOLITH: Self = Self::MobileGl(Backend::Espryt, Transport::Monolith);
    /// Espryt on a second thread.
    pub const ESPRYT_INPROC: Self = Self::MobileGl(Backend::Espryt, Transport::Inproc);
    /// Espryt behind a TCP connection.
    pub const ESPRYT_TCP: Self = Self::MobileGl(Backend::Espryt, Transport::Tcp);
    /// Espryt in a child process.
    pub const ESPRYT: Self = Self::MobileGl(Backend::Espryt, Transport::Spawn);
    /// The lanes of Magma, which must give equal results.
    pub const MAGMA: [Self; 4] = [Self::MONOLITH, Self::INPROC, Self::SPAWN, Self::TCP];
    /// Those that need no server to be started first.
    pub const SELF_CONTAINED: [Self; 3] = [Self::MONOLITH, Self::INPROC, Self::SPAWN];

    /// The name in file names and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reference => "llvmpipe",
            Self::Zink => "zink",
            Self::MobileGl(Backend::Magma, transport) => transport.name(),
            Self::MobileGl(Backend::Espryt, Transport::Monolith) => "espryt-monolith",
            Self::MobileGl(Backend::Espryt, Transport::Inproc) => "espryt-inproc",
            Self::MobileGl(Backend::Espryt, Transport::Spawn) => "espryt-spawn",
            Self::MobileGl(Backend::Espryt, Transport::Tcp) => "espryt-tcp",
        }
    }

    /// The same backend on the program's own thread.
    #[must_use]
    pub fn on_one_thread(self) -> Self {
        match self {
            Self::MobileGl(backend, _) => Self::MobileGl(backend, Transport::Monolith),
            other => other,
        }
    }

    /// True when the driver has a process of its own.
    pub fn has_process(self) -> bool {
        matches!(self, Self::MobileGl(_, transport) if transport.has_process())
    }
}
