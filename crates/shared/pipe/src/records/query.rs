//! Queries (spec 01b §4.1, 05b §9). Results never block the stream unless the record asks for it.

use crate::tokens::QueryKind;
use crate::wire::{Bool8, Pad};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Query};

record! {
    /// A query object of a kind exists.
    QueryCreate("query_create") = 11, Query, None { query: Handle<Query>, kind: QueryKind, stream: u32 }
}
record! {
    /// `glBeginQuery[Indexed]`.
    QueryBegin("query_begin") = 12, Query, None { query: Handle<Query> }
}
record! {
    /// `glEndQuery[Indexed]`.
    QueryEnd("query_end") = 13, Query, None { query: Handle<Query> }
}
record! {
    /// Asks whether a result is available; one byte. DECLINED means not yet.
    QueryAvailable("query_available") = 14, Query, Reply { query: Handle<Query> }
}
record! {
    /// Asks for a result: 8 bytes. Without `wait` DECLINED means not yet.
    QueryResult("query_result") = 15, Query, Reply { query: Handle<Query>, wait: Bool8, pad: Pad<7> }
}
record! {
    /// Death of a query.
    QueryDestroy("query_destroy") = 16, Query, None { query: Handle<Query> }
}
record! {
    /// GPU time now, in nanoseconds: 8 bytes.
    QueryTimestamp("query_timestamp") = 69, Query, Reply { reserved: Pad<8> }
}
record! {
    /// `glQueryCounter`.
    QueryCounter("query_counter") = 70, Query, None { query: Handle<Query> }
}
record! {
    /// `glGetQueryObject*` with a bound query buffer. `available` writes availability instead of the result.
    QueryResultToBuffer("query_result_to_buffer") = 89, Query, None {
        query: Handle<Query>, buffer: Handle<Buffer>, offset: u64, wait: Bool8, available: Bool8, wide: Bool8,
        /// The result saturates in the signed range.
        signed: Bool8, pad: Pad<4>,
    }
}
