//! `mobilegl-server --probe-sandbox NEEDS`: confines this process as a server would be and reports, as JSON, what it still
//! can do. For `mobilegl doctor` and for tests. Must not make a backend.

use std::fs::File;
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::process::Command;

use serde_json::{Value, json};

use super::{Needs, calls, files};

/// Confines and tries. `asked` is `nothing`, `processor`, `device`, or `network` for what every other driver loses.
///
/// # Errors
/// When `needs` is none of them.
pub fn report(asked: &str) -> Result<Value, String> {
    let needs = match asked {
        "nothing" => Needs::Nothing,
        "processor" => Needs::Processor,
        "device" => Needs::Device,
        "network" => Needs::Device,
        other => return Err(format!("--probe-sandbox {other}: use nothing, processor, device or network")),
    };
    let before = attempts();
    let layers = match asked {
        "network" => [("files", Ok(())), ("calls", calls::confine_network())],
        _ => [("files", files::confine(needs)), ("calls", calls::confine())],
    };
    let layers: serde_json::Map<String, Value> =
        layers.into_iter().map(|(name, done)| (name.to_owned(), json!(done.err()))).collect();
    // A thread that starts later must be as confined as this one.
    let on_thread = std::thread::spawn(attempts).join().unwrap_or_default();
    Ok(json!({ "missing": layers, "before": before, "after": attempts(), "after_on_a_thread": on_thread }))
}

fn attempts() -> Value {
    let library = std::env::current_exe().is_ok_and(|path| File::open(path).is_ok());
    json!({
        "open_passwd": File::open("/etc/passwd").is_ok(),
        "open_root": std::fs::read_dir("/").is_ok(),
        "write_beside": std::env::current_dir().is_ok_and(|d| File::create(d.join(".mobilegl-probe")).is_ok_and(|_| {
            std::fs::remove_file(d.join(".mobilegl-probe")).is_ok()
        })),
        "open_own_image": library,
        "open_libraries": std::fs::read_dir("/usr/lib").is_ok(),
        "unix_socket": UnixDatagram::unbound().is_ok(),
        "tcp_socket": TcpStream::connect(("127.0.0.1", 9)).is_ok_or_refused(),
        "run_a_program": Command::new("/bin/true").status().is_ok(),
        "map_memory": mgl_link::segment::Segment::shared(4096).is_ok(),
        "start_a_thread": std::thread::spawn(|| ()).join().is_ok(),
    })
}

trait Reached {
    fn is_ok_or_refused(&self) -> bool;
}

impl Reached for std::io::Result<TcpStream> {
    /// A connection that nobody accepts still shows that the network can be reached.
    fn is_ok_or_refused(&self) -> bool {
        match self {
            Ok(_) => true,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionRefused,
        }
    }
}
