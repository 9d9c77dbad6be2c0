//! On what a recording is replayed: `BACKEND` or `BACKEND:KEY=VALUE;KEY=VALUE`, as in `magma:disable=dynamic_rendering`.
//! Must not know what the keys of a backend mean.

use crate::error::{Error, Result};
use mgl_backend::Backend;
use std::str::FromStr;

/// A backend and what is special about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    backend: String,
    options: Vec<(String, String)>,
}

impl FromStr for Side {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (backend, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut options = Vec::new();
        for part in rest.split(';').filter(|part| !part.is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                let why = format!("\"{part}\" is no KEY=VALUE; write BACKEND:KEY=VALUE;KEY=VALUE");
                return Err(Error::Side { side: text.into(), why });
            };
            options.push((key.into(), value.into()));
        }
        Ok(Self { backend: backend.into(), options })
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.backend)?;
        for (index, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ';' })?;
        }
        Ok(())
    }
}

impl Side {
    /// A fresh device and an empty session's backend on it.
    ///
    /// # Errors
    /// [`Error::Side`] when the backend, an option or the device is not to be had.
    pub fn open(&self) -> Result<Box<dyn Backend>> {
        mgl_daemon::open_backend(&self.backend, &self.options)
            .map_err(|why| Error::Side { side: self.to_string(), why })
    }
}

#[cfg(test)]
mod tests {
    use super::Side;

    /// If this fails, a comparison runs with other options than the person wrote, and names the wrong cause.
    #[test]
    fn sides_are_read_as_they_are_written() {
        for text in ["magma", "magma:disable=a,b", "magma:disable=a;device=llvmpipe"] {
            assert_eq!(text.parse::<Side>().unwrap().to_string(), text);
        }
        let refused = "magma:nonsense".parse::<Side>().unwrap_err().to_string();
        assert!(refused.contains("nonsense") && refused.contains("KEY=VALUE"), "{refused}");
        let unknown = "mgma".parse::<Side>().unwrap().open().err().unwrap().to_string();
        assert!(unknown.contains("there is no backend \"mgma\""), "{unknown}");
        let feature = "magma:disable=nosuch".parse::<Side>().unwrap().open().err().unwrap().to_string();
        assert!(feature.contains("no feature \"nosuch\"") && feature.contains("logic_op"), "{feature}");
        let option = "null:x=1".parse::<Side>().unwrap().open().err().unwrap().to_string();
        assert!(option.contains("x"), "{option}");
    }
}
