//! Walks over expressions, and renaming of their loops.
//!
//! The recursions are as deep as the expression, whose depth binding and inlining limit.

use std::collections::HashMap;

use super::{Access, Affine, Condition, Expr, LoopId, Node, Statement, TensorId};

/// What each loop becomes.
pub(crate) type Loops = HashMap<LoopId, Affine>;

impl Expr {
    /// The operands, from left to right.
    pub(crate) fn children(&self) -> impl Iterator<Item = &Expr> {
        let all: [Option<&Expr>; 3] = match &self.node {
            Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => [None; 3],
            Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => [Some(x), None, None],
            Node::Binary(_, x, y) => [Some(x), Some(y), None],
            Node::Select(c, x, y) => [Some(c), Some(x), Some(y)],
        };
        all.into_iter().flatten()
    }

    /// The same, to be changed.
    fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let all: [Option<&mut Expr>; 3] = match &mut self.node {
            Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => {
                [None, None, None]
            }
            Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => [Some(x), None, None],
            Node::Binary(_, x, y) => [Some(x), Some(y), None],
            Node::Select(c, x, y) => [Some(c), Some(x), Some(y)],
        };
        all.into_iter().flatten()
    }

    /// Calls `found` with this node, then with all below it, from left to right.
    pub(crate) fn visit<'a>(&'a self, found: &mut impl FnMut(&'a Expr)) {
        found(self);
        self.children().for_each(|x| x.visit(found));
    }

    /// Whether that holds for a node.
    pub(crate) fn any(&self, holds: &impl Fn(&Expr) -> bool) -> bool {
        holds(self) || self.children().any(|x| x.any(holds))
    }

    /// Changes each node after those below it, from left to right; ends and returns false where `change` does.
    pub(crate) fn edit(&mut self, change: &mut impl FnMut(&mut Expr) -> bool) -> bool {
        self.children_mut().all(|x| x.edit(change)) && change(self)
    }

    /// A copy in which a node is what `change` makes of it or, if that is none, the same of the operands' copies.
    pub(crate) fn map(&self, change: &mut impl FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(changed) = change(self) {
            return changed;
        }
        let mut copied = |x: &Expr| Box::new(x.map(change));
        let node = match &self.node {
            Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => {
                self.node.clone()
            }
            Node::Unary(op, x) => Node::Unary(*op, copied(x)),
            Node::Binary(op, x, y) => Node::Binary(*op, copied(x), copied(y)),
            Node::Select(c, x, y) => Node::Select(copied(c), copied(x), copied(y)),
            Node::Cast(x) => Node::Cast(copied(x)),
            Node::Guard(conditions, x) => Node::Guard(conditions.clone(), copied(x)),
        };
        Expr {
            dtype: self.dtype,
            node,
        }
    }

    /// The number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }

    /// The number of nodes from this one to the lowest one.
    pub(crate) fn depth(&self) -> usize {
        1 + self.children().map(Expr::depth).max().unwrap_or(0)
    }

    /// Calls `found` with every access, look-ups after the access that they are in.
    pub(crate) fn accesses<'a>(&'a self, found: &mut impl FnMut(&'a Access)) {
        self.visit(&mut |expr| {
            if let Node::Read(access) = &expr.node {
                access.visit(found);
            }
        });
    }

    /// Calls `found` with every condition of a guard.
    pub(crate) fn conditions<'a>(&'a self, found: &mut impl FnMut(&'a Condition)) {
        self.visit(&mut |expr| {
            if let Node::Guard(conditions, _) = &expr.node {
                conditions.iter().for_each(&mut *found);
            }
        });
    }

    /// Calls `found` with every loop that its value hangs on, by accesses and guards, too.
    pub(crate) fn loops(&self, found: &mut impl FnMut(LoopId)) {
        self.visit(&mut |expr| match &expr.node {
            Node::Loop(l) => found(*l),
            Node::Read(access) => access.loops(found),
            Node::Guard(conditions, _) => {
                for condition in conditions {
                    condition.affine.loops().for_each(&mut *found);
                }
            }
            _ => {}
        });
    }

    /// Replaces loops; false if that is impossible: a number overflows, or a loop that is a value would become more than another loop.
    pub(crate) fn rename(&mut self, loops: &Loops) -> bool {
        self.edit(&mut |expr| match &mut expr.node {
            Node::Loop(l) => match loops.get(l).and_then(Affine::as_loop) {
                Some(other) => {
                    *l = other;
                    true
                }
                None => false,
            },
            Node::Read(access) => access.rename(loops),
            Node::Guard(conditions, _) => {
                let mut conditions = conditions.iter_mut();
                conditions.all(|condition| condition.affine.rename(loops))
            }
            _ => true,
        })
    }
}

impl Access {
    /// Calls `found` with this access, then with all look-ups in its indices.
    pub(crate) fn visit<'a>(&'a self, found: &mut impl FnMut(&'a Access)) {
        found(self);
        let look_ups = self.indices.iter().filter_map(|each| each.look_up.as_ref());
        look_ups.for_each(|access| access.visit(found));
    }

    /// Calls `found` with every loop of its indices, those of look-ups included.
    pub(crate) fn loops(&self, found: &mut impl FnMut(LoopId)) {
        self.visit(&mut |access| {
            for index in &access.indices {
                index.affine.loops().for_each(&mut *found);
            }
        });
    }

    /// Whether all indices are plain.
    pub(crate) fn is_plain(&self) -> bool {
        self.indices.iter().all(super::Index::is_plain)
    }

    /// Replaces loops; false if a number overflows.
    pub(crate) fn rename(&mut self, loops: &Loops) -> bool {
        self.indices.iter_mut().all(|index| {
            let look_up = index.look_up.as_mut();
            index.affine.rename(loops) && look_up.is_none_or(|access| access.rename(loops))
        })
    }
}

impl Affine {
    /// Replaces loops by affine forms; false if a number overflows.
    pub(crate) fn rename(&mut self, loops: &Loops) -> bool {
        self.renamed(loops).map(|renamed| *self = renamed).is_some()
    }

    fn renamed(&self, loops: &Loops) -> Option<Affine> {
        let mut constant = self.constant;
        let mut terms: HashMap<LoopId, i64> = HashMap::new();
        for &(l, k) in &self.terms {
            let inner = loops.get(&l)?;
            constant = inner.constant.checked_mul(k)?.checked_add(constant)?;
            for &(m, c) in &inner.terms {
                let sum = terms.entry(m).or_insert(0);
                *sum = c.checked_mul(k)?.checked_add(*sum)?;
            }
        }
        let mut terms: Vec<(LoopId, i64)> = terms.into_iter().filter(|&(_, k)| k != 0).collect();
        terms.sort_unstable();
        Some(Affine { constant, terms })
    }
}

impl Statement {
    /// Calls `found` with every tensor that it reads, also to find where it writes.
    pub(crate) fn reads(&self, found: &mut impl FnMut(TensorId)) {
        self.value.accesses(&mut |access| found(access.tensor));
        for look_up in self.left.iter().filter_map(|each| each.look_up.as_ref()) {
            look_up.visit(&mut |access| found(access.tensor));
        }
    }

    /// Replaces the loops of value, left side and guards; false if that is impossible. The caller replaces the list of loops.
    pub(crate) fn rename(&mut self, loops: &Loops) -> bool {
        let affine = |affine: &mut Affine| affine.rename(loops);
        // Look-ups of the left side are renamed as reads are.
        let left = self.left.iter_mut().all(|index| {
            let look_up = index.look_up.as_mut();
            affine(&mut index.affine) && look_up.is_none_or(|access| access.rename(loops))
        });
        left && self.value.rename(loops)
            && self
                .guards
                .iter_mut()
                .all(|guard| affine(&mut guard.affine))
    }
}

#[cfg(test)]
mod tests {
    use super::{Affine, Expr, Loops, Node, Statement};
    use crate::operand::DType;
    use crate::{Program, Signature};

    /// The first statement of a program over two vectors of 10 floats, and one of INT32.
    fn statement(text: &str) -> Statement {
        let program = Program::parse(text).expect("a program");
        let of = |name: &String| match name.as_str() {
            "at" => Signature::tensor(DType::Int32, &[10]),
            _ => Signature::tensor(DType::Float, &[10]),
        };
        let inputs: Vec<Signature> = program.inputs().iter().map(of).collect();
        let bound = program.bind(&inputs, &[None]).expect("shapes fit");
        bound.statements[0].clone()
    }

    /// A loop, and the constant and the terms of what it becomes.
    type Renamed<'a> = (usize, i64, &'a [(usize, i64)]);

    fn loops(forms: &[Renamed<'_>]) -> Loops {
        let form = |&(l, constant, terms): &Renamed<'_>| {
            let terms = terms.to_vec();
            (l, Affine { constant, terms })
        };
        forms.iter().map(form).collect()
    }

    #[test]
    fn nodes_are_visited_from_above_and_from_the_left() {
        let value = statement("y[i] = select(x[i] < 2.0, -z[i], x[i] + z[at[i]])").value;
        let mut reads = Vec::new();
        value.accesses(&mut |access| reads.push(access.tensor));
        // x, z, x, and z with its look-up after it.
        assert_eq!(reads, [0, 1, 0, 1, 2]);
        assert_eq!((value.nodes(), value.depth()), (9, 3));
        let mut first = None;
        value.visit(&mut |expr| {
            first.get_or_insert(matches!(expr.node, Node::Select(..)));
        });
        assert_eq!(first, Some(true));
    }

    #[test]
    fn editing_ends_where_a_change_is_impossible() {
        let mut value = statement("y[i] = x[i] + z[i] + x[i]").value;
        let mut seen = 0;
        let done = value.edit(&mut |expr| {
            seen += 1;
            !matches!(&expr.node, Node::Read(access) if access.tensor == 1)
        });
        assert_eq!((done, seen), (false, 2));
    }

    #[test]
    fn renaming_reaches_guards_and_look_ups_of_both_sides() {
        let mut renamed = statement(
            "y[at[i]] += guard(0 <= i-j < 3, x[at[j]] * z[i-j]) where i in 0:10, j in 0:10, y[10]",
        );
        assert!(renamed.rename(&loops(&[(0, 0, &[(4, 1)]), (1, 1, &[(2, -1)])])));
        let mut found = Vec::new();
        renamed.value.loops(&mut |l| found.push(l));
        let look_up = renamed.left[0].look_up.as_ref().expect("a look-up");
        look_up.loops(&mut |l| found.push(l));
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, [2, 4]);
    }

    #[test]
    fn a_loop_that_is_a_value_becomes_a_loop_only() {
        let value = statement("y[i] = x[i] * i").value;
        let renamed = |to: Loops| -> (bool, Expr) {
            let mut value = value.clone();
            (value.rename(&to), value)
        };
        assert!(renamed(loops(&[(0, 0, &[(3, 1)])])).0);
        assert!(!renamed(loops(&[(0, 1, &[(3, 1)])])).0);
        assert!(!renamed(loops(&[(0, 0, &[(3, 2)])])).0);
        assert!(!renamed(loops(&[])).0);
    }

    #[test]
    fn numbers_that_overflow_are_not_renamed() {
        let form = Affine {
            constant: 1,
            terms: vec![(0, 4), (1, -2)],
        };
        let mut renamed = form.clone();
        assert!(renamed.rename(&loops(&[(0, 5, &[(2, 1), (3, 1)]), (1, 0, &[(2, 2)])])));
        // 1 + 4 * (5 + c + d) - 2 * 2c
        let terms = vec![(3, 4)];
        assert_eq!(
            renamed,
            Affine {
                constant: 21,
                terms
            }
        );
        let mut kept = form.clone();
        assert!(!kept.rename(&loops(&[(0, i64::MAX / 2, &[]), (1, 0, &[])])));
        assert_eq!(kept, form);
    }
}
