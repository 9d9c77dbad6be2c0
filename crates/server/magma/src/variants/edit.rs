//! Editing a SPIR-V module: finding built-ins and variables, adding globals, and running a new function at every exit of
//! a stage. Must not know GL state: what is edited, and why, is decided by its siblings.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, FunctionControl, Op, StorageClass, Word};

/// Why a module could not be edited. These are faults of the producer, not of the device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The words are not a SPIR-V module.
    #[error("SPIR-V does not parse: {0}")]
    Parse(String),
    /// The module has no entry point.
    #[error("SPIR-V has no entry point")]
    NoEntry,
    /// The module lacks something a pass needs.
    #[error("SPIR-V pass: {0}")]
    Shape(&'static str),
}

impl From<rspirv::dr::Error> for EditError {
    fn from(_: rspirv::dr::Error) -> Self {
        Self::Shape("instruction outside a block")
    }
}

/// Where a built-in lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable of its own.
    Variable(Word),
    /// A member of a block variable.
    Member(Word, u32),
}

/// A module that is being edited.
pub struct Edit {
    /// The builder; appended globals come after every existing one, so they may refer to them.
    pub b: Builder,
    entry: usize,
    main: Word,
}

impl Edit {
    /// Loads a module with one entry point.
    pub fn new(words: &[u32]) -> Result<Self, EditError> {
        let module = rspirv::dr::load_words(words).map_err(|e| EditError::Parse(e.to_string()))?;
        let main = match module.entry_points.first().and_then(|e| e.operands.get(1)) {
            Some(Operand::IdRef(id)) => *id,
            _ => return Err(EditError::NoEntry),
        };
        Ok(Self { b: Builder::new_from_module(module), entry: 0, main })
    }

    /// The edited words.
    pub fn finish(self) -> Vec<u32> {
        self.b.module().assemble()
    }

    /// The module as it is now.
    pub fn module(&self) -> &Module {
        self.b.module_ref()
    }

    /// Function id of the entry point.
    pub fn main(&self) -> Word {
        self.main
    }

    /// Lists `variable` in the entry point's interface.
    pub fn add_interface(&mut self, variable: Word) {
        let entry = self.entry;
        if let Some(inst) = self.b.module_mut().entry_points.get_mut(entry) {
            inst.operands.push(Operand::IdRef(variable));
        }
    }

    /// A new variable of the stage interface with one decoration.
    pub fn interface_variable(&mut self, ty: Word, class: StorageClass, decoration: (Decoration, Operand)) -> Word {
        let pointer = self.b.type_pointer(None, class, ty);
        let variable = self.global(pointer, class, None);
        self.b.decorate(variable, decoration.0, [decoration.1]);
        self.add_interface(variable);
        variable
    }

    /// A module-scope variable.
    pub fn global(&mut self, pointer: Word, class: StorageClass, initializer: Option<Word>) -> Word {
        // Without a selected block the builder appends to the globals.
        let _ = self.b.select_function(None);
        self.b.variable(pointer, None, class, initializer)
    }

    /// The instruction that defines a global id.
    pub fn definition(&self, id: Word) -> Option<&Instruction> {
        self.module().types_global_values.iter().find(|i| i.result_id == Some(id))
    }

    /// Type that a pointer-typed global points to.
    pub fn pointee_of(&self, variable: Word) -> Option<Word> {
        let pointer = self.definition(variable)?.result_type?;
        match self.definition(pointer)?.operands.get(1) {
            Some(Operand::IdRef(ty)) => Some(*ty),
            _ => None,
        }
    }

    /// Ids of the module-scope variables of a storage class.
    pub fn variables(&self, class: StorageClass) -> Vec<Word> {
        variables(self.module(), class)
    }

    /// Value of a decoration with one literal.
    pub fn literal(&self, target: Word, decoration: Decoration) -> Option<u32> {
        literal(self.module(), target, decoration)
    }

    /// Finds a built-in of the stage's outputs or inputs, in a block or alone. Arrays of blocks (`gl_in`) do not count.
    pub fn builtin(&self, builtin: BuiltIn, class: StorageClass) -> Option<Place> {
        self.variables(class).into_iter().find_map(|variable| {
            if decorated_builtin(self.module(), variable) == Some(builtin) {
                return Some(Place::Variable(variable));
            }
            let ty = self.pointee_of(variable)?;
            member_builtin(self.module(), ty, builtin).map(|index| Place::Member(variable, index))
        })
    }

    /// Type of what lives at `place`.
    pub fn type_at(&self, place: Place) -> Option<Word> {
        match place {
            Place::Variable(variable) => self.pointee_of(variable),
            Place::Member(variable, index) => {
                let ty = self.pointee_of(variable)?;
                match self.definition(ty)?.operands.get(index as usize) {
                    Some(Operand::IdRef(member)) => Some(*member),
                    _ => None,
                }
            }
        }
    }

    /// A pointer to `place`, optionally to element `element`; `ty` is the type it points to. Needs a selected block.
    pub fn pointer_to(
        &mut self,
        place: Place,
        element: Option<u32>,
        ty: Word,
        class: StorageClass,
    ) -> Result<Word, EditError> {
        let (base, member) = match place {
            Place::Variable(v) => (v, None),
            Place::Member(v, m) => (v, Some(m)),
        };
        let indices: Vec<Word> = member.into_iter().chain(element).map(|i| self.int_constant(i)).collect();
        if indices.is_empty() {
            return Ok(base);
        }
        let pointer = self.b.type_pointer(None, class, ty);
        Ok(self.b.access_chain(pointer, None, base, indices)?)
    }

    /// `OpConstant` of a 32-bit signed integer.
    pub fn int_constant(&mut self, value: u32) -> Word {
        let int = self.b.type_int(32, 1);
        self.constant(int, value)
    }

    /// `OpConstant` of a 32-bit float.
    pub fn float_constant(&mut self, value: f32) -> Word {
        let float = self.float();
        self.constant(float, value.to_bits())
    }

    fn constant(&mut self, ty: Word, bits: u32) -> Word {
        let same = |i: &&Instruction| {
            i.class.opcode == Op::Constant
                && i.result_type == Some(ty)
                && i.operands.first() == Some(&Operand::LiteralBit32(bits))
        };
        match self.module().types_global_values.iter().find(same).and_then(|i| i.result_id) {
            Some(id) => id,
            None => self.b.constant_bit32(ty, bits),
        }
    }

    /// The 32-bit float type.
    pub fn float(&mut self) -> Word {
        self.b.type_float(32, None)
    }

    /// Starts a function `void f()`; close it with [`Edit::end_helper`].
    pub fn begin_helper(&mut self) -> Result<Word, EditError> {
        let void = self.b.type_void();
        let signature = self.b.type_function(void, []);
        let function = self.b.begin_function(void, None, FunctionControl::NONE, signature)?;
        self.b.begin_block(None)?;
        Ok(function)
    }

    /// Ends the function that `begin_helper` started.
    pub fn end_helper(&mut self) -> Result<(), EditError> {
        self.b.ret()?;
        self.b.end_function()?;
        Ok(())
    }

    /// Calls `helper` before every return of the entry point.
    pub fn call_at_exit(&mut self, helper: Word) {
        let main = self.main;
        self.call_before(helper, move |function, op| function == main && op == Op::Return);
    }

    /// Calls `helper` before every vertex that a geometry stage emits, in any function.
    pub fn call_at_emit(&mut self, helper: Word) {
        self.call_before(helper, |_, op| matches!(op, Op::EmitVertex | Op::EmitStreamVertex));
    }

    fn call_before(&mut self, helper: Word, at: impl Fn(Word, Op) -> bool) {
        let void = self.b.type_void();
        let sites: Vec<(usize, usize, usize)> = self
            .module()
            .functions
            .iter()
            .enumerate()
            .filter_map(|(f, function)| Some((f, function, function.def.as_ref()?.result_id?)))
            .filter(|(_, _, id)| *id != helper)
            .flat_map(|(f, function, id)| {
                let at = &at;
                function.blocks.iter().enumerate().flat_map(move |(b, block)| {
                    let hit = move |(n, i): (usize, &Instruction)| at(id, i.class.opcode).then_some((f, b, n));
                    block.instructions.iter().enumerate().filter_map(hit).collect::<Vec<_>>()
                })
            })
            .collect();
        // From the back, so that the positions found stay valid.
        for (f, b, n) in sites.into_iter().rev() {
            let id = self.b.id();
            let call = Instruction::new(Op::FunctionCall, Some(void), Some(id), vec![Operand::IdRef(helper)]);
            self.b.module_mut().functions[f].blocks[b].instructions.insert(n, call);
        }
    }

    /// Element type of an array type.
    pub fn element_of(&self, ty: Word) -> Option<Word> {
        let array = self.definition(ty).filter(|i| i.class.opcode == Op::TypeArray)?;
        if let Some(Operand::IdRef(element)) = array.operands.first() { Some(*element) } else { None }
    }

    /// Elements of an array type with a constant length.
    pub fn array_length(&self, ty: Word) -> Option<u32> {
        let array = self.definition(ty).filter(|i| i.class.opcode == Op::TypeArray)?;
        let Some(Operand::IdRef(length)) = array.operands.get(1) else { return None };
        match self.definition(*length)?.operands.first() {
            Some(Operand::LiteralBit32(value)) => Some(*value),
            _ => None,
        }
    }

    /// Removes an interface variable that nothing uses any more.
    pub fn drop_interface(&mut self, variable: Word) {
        let about = |operand: Option<&Operand>| operand == Some(&Operand::IdRef(variable));
        let module = self.b.module_mut();
        for entry in &mut module.entry_points {
            entry.operands.retain(|o| *o != Operand::IdRef(variable));
        }
        module.annotations.retain(|i| !about(i.operands.first()));
        module.debug_names.retain(|i| !about(i.operands.first()));
        module.types_global_values.retain(|i| i.result_id != Some(variable));
    }

    /// Calls `helper` first thing in the entry point.
    pub fn call_at_entry(&mut self, helper: Word) {
        let (void, id, main) = (self.b.type_void(), self.b.id(), self.main);
        let call = Instruction::new(Op::FunctionCall, Some(void), Some(id), vec![Operand::IdRef(helper)]);
        let is_main = |f: &&mut rspirv::dr::Function| f.def.as_ref().and_then(|d| d.result_id) == Some(main);
        if let Some(block) = self.b.module_mut().functions.iter_mut().find(is_main).and_then(|f| f.blocks.first_mut()) {
            // Function-scope variables must come first in the block.
            let at = block.instructions.iter().take_while(|i| i.class.opcode == Op::Variable).count();
            block.instructions.insert(at, call);
        }
    }
}

/// Ids of the module-scope variables of a storage class.
pub fn variables(module: &Module, class: StorageClass) -> Vec<Word> {
    module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::Variable && i.operands.first() == Some(&Operand::StorageClass(class)))
        .filter_map(|i| i.result_id)
        .collect()
}

/// Value of a decoration with one literal.
pub fn literal(module: &Module, target: Word, decoration: Decoration) -> Option<u32> {
    module.annotations.iter().find_map(|i| match i.operands.as_slice() {
        [Operand::IdRef(id), Operand::Decoration(d), Operand::LiteralBit32(value)]
            if i.class.opcode == Op::Decorate && *id == target && *d == decoration =>
        {
            Some(*value)
        }
        _ => None,
    })
}

fn decorated_builtin(module: &Module, target: Word) -> Option<BuiltIn> {
    module.annotations.iter().find_map(|i| match i.operands.as_slice() {
        [Operand::IdRef(id), Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(b)]
            if i.class.opcode == Op::Decorate && *id == target =>
        {
            Some(*b)
        }
        _ => None,
    })
}

fn member_builtin(module: &Module, ty: Word, builtin: BuiltIn) -> Option<u32> {
    module.annotations.iter().find_map(|i| match i.operands.as_slice() {
        [
            Operand::IdRef(id),
            Operand::LiteralBit32(member),
            Operand::Decoration(Decoration::BuiltIn),
            Operand::BuiltIn(b),
        ] if i.class.opcode == Op::MemberDecorate && *id == ty && *b == builtin => Some(*member),
        _ => None,
    })
}
