//! The operators of the language: of assignments, and of one and two operands in expressions.

/// The assignment operator of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `=`: no element is written twice.
    Set,
    /// `+=`: the sum, from 0.
    Sum,
    /// `*=`: the product, from 1.
    Product,
    /// `max=`: the largest, from -inf, the lowest integer or false.
    Max,
    /// `min=`: the least, from inf, the highest integer or true.
    Min,
}

/// Operators and functions of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Unary {
    Neg,
    Not,
    Abs,
    Sqrt,
    Exp,
    Log,
    Sin,
    Cos,
    Tanh,
    Sigmoid,
    Relu,
    Erf,
    Floor,
    Ceil,
    Round,
    Sign,
    Log1p,
    Expm1,
    Log2,
    Exp2,
    Rsqrt,
    Reciprocal,
    Square,
    Trunc,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
    Softplus,
    Silu,
    Lgamma,
    Digamma,
    Erfinv,
    IsNan,
    IsInf,
    IsFinite,
    BitNot,
    /// Whether something is stored at the operand, which is a read.
    Stored,
}

impl Unary {
    /// Whether this is a predicate of a fraction, whose value is BOOL. Binding makes comparisons of it.
    pub fn is_predicate(self) -> bool {
        matches!(
            self,
            Unary::IsNan | Unary::IsInf | Unary::IsFinite | Unary::Stored
        )
    }

    /// Whether this has a meaning for integers.
    pub fn is_of_integers(self) -> bool {
        use Unary::*;
        matches!(
            self,
            Neg | Abs | Relu | Floor | Ceil | Round | Sign | Square | Trunc | BitNot
        )
    }

    /// Whether this is a step function, whose derivative is 0, or is of integers only.
    pub fn is_flat(self) -> bool {
        use Unary::*;
        matches!(self, Not | Floor | Ceil | Round | Sign | Trunc | BitNot) || self.is_predicate()
    }
}

/// Operators and functions of two operands.
///
/// The first operand of `AdjointMul` and `AdjointDiv` is an adjoint, and an adjoint of exactly 0 is the result, whatever the other operand: what
/// nothing has chosen has no part, even where a derivative is infinite. They are made by differentiation only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Max,
    Min,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Atan2,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Ushr,
    AdjointMul,
    AdjointDiv,
}

impl Binary {
    /// Whether this compares its operands.
    pub fn is_comparison(self) -> bool {
        use Binary::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }

    /// Whether this is of bits, and so of integers only.
    pub fn is_of_bits(self) -> bool {
        use Binary::*;
        matches!(self, BitAnd | BitOr | BitXor | Shl | Shr | Ushr)
    }

    /// Whether this is `and` or `or`.
    pub fn is_logical(self) -> bool {
        matches!(self, Binary::And | Binary::Or)
    }
}
