//! Queries. Must not block the stream unless the record asks for it.

use crate::dispatch::Apply;
use crate::prove;
use crate::session::Applier;
use mgl_base::Fault;
use mgl_base::Handle;
use mgl_base::handle::Query;
use mgl_pipe::Body;
use mgl_pipe::records::{
    QueryAvailable, QueryBegin, QueryCounter, QueryCreate, QueryDestroy, QueryEnd, QueryResult, QueryResultToBuffer,
    QueryTimestamp,
};

impl Applier<'_> {
    fn known(&self, query: Handle<Query>, place: &'static str) -> Result<(), Fault> {
        self.session.tables.queries.need(query, place).map(|_| ())
    }
}

impl Apply<QueryCreate> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryCreate>) -> Result<(), Fault> {
        let QueryCreate { query, kind, stream } = body.head;
        self.session.tables.queries.insert(query, (), "query_create.query")?;
        let outcome = self.session.backend.query_create(query, kind, stream);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<QueryBegin> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryBegin>) -> Result<(), Fault> {
        self.known(body.head.query, "query_begin.query")?;
        let outcome = self.session.backend.query_begin(&mut self.flow.state, body.head.query);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<QueryEnd> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryEnd>) -> Result<(), Fault> {
        self.known(body.head.query, "query_end.query")?;
        let outcome = self.session.backend.query_end(&mut self.flow.state, body.head.query);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<QueryCounter> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryCounter>) -> Result<(), Fault> {
        self.known(body.head.query, "query_counter.query")?;
        let outcome = self.session.backend.query_counter(&mut self.flow.state, body.head.query);
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<QueryAvailable> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryAvailable>) -> Result<(), Fault> {
        self.known(body.head.query, "query_available.query")?;
        let outcome = self.session.backend.query_result(body.head.query, false);
        match self.settle(outcome)?.flatten() {
            Some(_) => self.answer(&[1]),
            None => self.decline(),
        }
    }
}

impl Apply<QueryResult> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryResult>) -> Result<(), Fault> {
        self.known(body.head.query, "query_result.query")?;
        let outcome = self.session.backend.query_result(body.head.query, body.head.wait.get());
        match self.settle(outcome)? {
            Some(Some(value)) => self.answer(&value.to_le_bytes()),
            // A result that will never be must not look pending: a program that polls would poll for ever.
            None => self.answer(&[0; 8]),
            Some(None) => self.decline(),
        }
    }
}

impl Apply<QueryResultToBuffer> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryResultToBuffer>) -> Result<(), Fault> {
        let head = body.head;
        self.known(head.query, "query_result_to_buffer.query")?;
        let width: u64 = if head.wide.get() { 8 } else { 4 };
        let Some(len) = self.store_size(head.buffer, "query_result_to_buffer.buffer")? else { return Ok(()) };
        prove::span(head.offset, width, len, "query_result_to_buffer.offset")?;
        let outcome = self.session.backend.query_result(head.query, head.wait.get());
        let value = match (head.available.get(), self.settle(outcome)?.flatten()) {
            (true, result) => u64::from(result.is_some()),
            (false, Some(value)) => value,
            (false, None) => return Ok(()),
        };
        // Results above the range of the type saturate (GL 4.6 §4.2.3).
        let most = match (head.wide.get(), head.signed.get()) {
            (true, true) => i64::MAX.cast_unsigned(),
            (true, false) => u64::MAX,
            (false, true) => u64::from(i32::MAX.cast_unsigned()),
            (false, false) => u64::from(u32::MAX),
        };
        let clamped = value.min(most);
        let bytes = clamped.to_le_bytes();
        let outcome = self.session.backend.buffer_fill(
            head.buffer,
            head.offset,
            width,
            bytes.get(..width as usize).unwrap_or(&bytes),
        );
        self.settle(outcome).map(|_| ())
    }
}

impl Apply<QueryDestroy> for Applier<'_> {
    fn apply(&mut self, body: Body<'_, QueryDestroy>) -> Result<(), Fault> {
        let query = body.head.query;
        self.session.tables.queries.remove(query).ok_or_else(|| Fault::corrupt("query_destroy.query"))?;
        self.session.backend.query_destroy(query);
        Ok(())
    }
}

impl Apply<QueryTimestamp> for Applier<'_> {
    fn apply(&mut self, _: Body<'_, QueryTimestamp>) -> Result<(), Fault> {
        let outcome = self.session.backend.timestamp();
        match self.settle(outcome)? {
            Some(ns) => self.answer(&ns.to_le_bytes()),
            None => self.decline(),
        }
    }
}
