//! Filled in with the tables of the device.
