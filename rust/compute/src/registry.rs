//! A bounded cache of values that callers refer to by number: found by key, and made again after they were evicted, the oldest first.
//!
//! Java holds numbers, which own nothing: there is nothing to close or to leak. A number is never reused, so an evicted value is not found.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

struct Entry<K, V> {
    number: u64,
    key: K,
    value: Arc<V>,
}

/// Values by number and by key. The lock is held for look-ups only, never while a value is made or used.
pub struct Registry<K, V> {
    capacity: u64,
    /// The slots that were used so far; a number's slot is the number modulo the capacity.
    entries: RwLock<Vec<Option<Entry<K, V>>>>,
    index: Mutex<Index<K>>,
}

struct Index<K> {
    numbers: HashMap<K, u64>,
    /// The number of the next value, which evicts the one in its slot, the oldest.
    next: u64,
}

impl<K: Hash + Eq + Clone, V> Registry<K, V> {
    /// An empty registry for so many values.
    pub fn with_capacity(capacity: usize) -> Registry<K, V> {
        Registry {
            capacity: capacity as u64,
            entries: RwLock::new(Vec::new()),
            // 0 is not a valid number.
            index: Mutex::new(Index {
                numbers: HashMap::new(),
                next: 1,
            }),
        }
    }

    fn slot(&self, number: u64) -> usize {
        (number % self.capacity) as usize
    }

    /// Evicts all values.
    pub fn clear(&self) {
        let mut index = self.index();
        let numbers = std::mem::take(&mut index.numbers);
        let entries = {
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *entries)
        };
        drop(index);
        drop((numbers, entries)); // outside of the locks: they may be large
    }

    /// The value with a number, unless it was evicted.
    pub fn get(&self, number: u64) -> Option<Arc<V>> {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        match entries.get(self.slot(number))? {
            Some(entry) if entry.number == number => Some(Arc::clone(&entry.value)),
            _ => None,
        }
    }

    /// The value of a key, and its number; made if there is none. Two threads may make it concurrently; one is kept.
    ///
    /// # Errors
    /// That of `make`, after which nothing is kept.
    pub fn get_or_make<E>(
        &self,
        key: K,
        make: impl FnOnce(&K) -> Result<V, E>,
    ) -> Result<(u64, Arc<V>), E> {
        let known = self.index().numbers.get(&key).copied();
        if let Some(number) = known {
            if let Some(value) = self.get(number) {
                return Ok((number, value));
            }
        }
        let made = Arc::new(make(&key)?);
        Ok(self.keep(key, made))
    }

    fn keep(&self, key: K, value: Arc<V>) -> (u64, Arc<V>) {
        let mut index = self.index();
        if let Some(&number) = index.numbers.get(&key) {
            if let Some(other) = self.get(number) {
                return (number, other); // another thread was faster
            }
        }
        let number = index.next;
        index.next += 1;
        let old = {
            let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
            let place = self.slot(number);
            if place >= entries.len() {
                entries.resize_with(place + 1, || None);
            }
            let entry = Entry {
                number,
                key: key.clone(),
                value: Arc::clone(&value),
            };
            entries[place].replace(entry)
        };
        if let Some(old) = &old {
            index.numbers.remove(&old.key);
        }
        index.numbers.insert(key, number);
        drop(index);
        drop(old); // outside of the locks: it may be large
        (number, value)
    }

    fn index(&self) -> MutexGuard<'_, Index<K>> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(registry: &Registry<String, usize>, key: &str, value: usize) -> (u64, usize) {
        let made: Result<_, ()> = registry.get_or_make(key.to_owned(), |_| Ok(value));
        let (number, value) = made.unwrap();
        (number, *value)
    }

    #[test]
    fn a_value_is_made_once_for_a_key() {
        let registry = Registry::with_capacity(4);
        let first = make(&registry, "a", 1);
        assert_eq!(first, make(&registry, "a", 2));
        assert_eq!(registry.get(first.0).as_deref(), Some(&1));
    }

    #[test]
    fn the_oldest_goes_when_there_are_too_many_and_is_made_again() {
        let registry = Registry::with_capacity(4);
        let numbers: Vec<_> = (0..9)
            .map(|n| make(&registry, &n.to_string(), n).0)
            .collect();
        for (n, number) in numbers.iter().enumerate() {
            let there = registry.get(*number).as_deref().copied();
            assert_eq!(there, if n < 5 { None } else { Some(n) });
        }
        let again = make(&registry, "0", 70);
        assert_eq!(again.1, 70);
        assert!(!numbers.contains(&again.0));
        assert_eq!(registry.index().numbers.len(), 4);
    }

    #[test]
    fn a_number_that_was_never_given_finds_nothing() {
        let registry = Registry::with_capacity(4);
        make(&registry, "a", 1);
        for number in [0, 2, 5, u64::MAX] {
            assert_eq!(registry.get(number), None);
        }
    }

    #[test]
    fn nothing_is_left_of_what_was_cleared() {
        let registry = Registry::with_capacity(4);
        let value = Arc::new(1);
        for key in 0..6 {
            let made: Result<_, ()> = registry.get_or_make(key, |_| Ok(value.clone()));
            made.unwrap();
        }
        registry.clear();
        assert_eq!(Arc::strong_count(&value), 1);
        assert_eq!(registry.index().numbers.capacity(), 0);
        assert_eq!(registry.entries.read().unwrap().capacity(), 0);
        let (number, _) = registry
            .get_or_make(0, |_| Ok::<_, ()>(value.clone()))
            .unwrap();
        assert_eq!(number, 7);
        assert!(registry.get(7).is_some() && registry.get(3).is_none());
    }

    #[test]
    fn what_failed_is_not_kept() {
        let registry: Registry<String, usize> = Registry::with_capacity(4);
        let failed: Result<(u64, Arc<usize>), &str> =
            registry.get_or_make("a".to_owned(), |_| Err("broken"));
        assert_eq!(failed, Err("broken"));
        assert_eq!(make(&registry, "a", 1).1, 1);
    }
}
