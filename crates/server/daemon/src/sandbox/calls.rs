//! The seccomp layer: system calls that no driver needs while it draws, refused with an error so that a library that tries
//! one goes on without. Must not know paths.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter_all_threads,
};

/// Ways out of the process: to the network, to other programs, to other processes' memory, to the kernel's less travelled
/// parts.
const REFUSED: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fsconfig,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_unshare,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_open_by_handle_at,
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setgroups,
    libc::SYS_personality,
];

/// Families of sockets that lead off this machine, or to its neighbours.
const NETWORK: &[libc::c_int] =
    &[libc::AF_INET, libc::AF_INET6, libc::AF_PACKET, libc::AF_VSOCK, libc::AF_BLUETOOTH, libc::AF_CAN, libc::AF_TIPC];

/// Takes only the network away, from every thread: what any driver can do without.
pub fn confine_network() -> Result<(), String> {
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let rule = |family: &libc::c_int| {
        let is = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, *family as u64)?;
        SeccompRule::new(vec![is])
    };
    let make = || {
        let rules = NETWORK.iter().map(rule).collect::<Result<Vec<_>, _>>()?;
        let rules = BTreeMap::from([(libc::SYS_socket, rules)]);
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?.try_into()
    };
    let program: Result<BpfProgram, BackendError> = make();
    let program = program.map_err(|error| format!("seccomp: {error}"))?;
    apply_filter_all_threads(&program).map_err(|error| format!("seccomp: {error}"))
}

/// Confines every thread of the process.
pub fn confine() -> Result<(), String> {
    let program = program().map_err(|error| format!("seccomp: {error}"))?;
    apply_filter_all_threads(&program).map_err(|error| format!("seccomp: {error}"))
}

fn program() -> Result<BpfProgram, BackendError> {
    let rules: BTreeMap<i64, Vec<_>> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?.try_into()
}
