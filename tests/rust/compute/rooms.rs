//! The rooms of the planner: arrows between them point down.

use std::path::{Path, PathBuf};

/// The rooms from the top down, as the table in the head of the planner has them.
fn rooms(plan: &Path) -> Vec<String> {
    let head = std::fs::read_to_string(plan.join("mod.rs")).expect("the planner");
    let rows = head
        .lines()
        .filter_map(|line| line.strip_prefix("//! | [`"));
    rows.map(|row| row[..row.find('`').expect("a name")].to_owned())
        .collect()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn rooms_use_those_below_them() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/plan");
    let rooms = rooms(&plan);
    let mut folders: Vec<String> = Vec::new();
    for entry in plan.read_dir().expect("the planner") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a name").to_owned();
        if name != "mod.rs" {
            folders.push(name);
        }
    }
    folders.sort();
    let mut listed = rooms.clone();
    listed.sort();
    assert_eq!(folders, listed, "rooms, and those in the table");
    let (mut up, mut down) = (Vec::new(), 0);
    for (at, room) in rooms.iter().enumerate() {
        let mut paths = Vec::new();
        files(&plan.join(room), &mut paths);
        for path in paths {
            let text = std::fs::read_to_string(&path).expect("a file");
            for (number, line) in text.lines().enumerate() {
                let place = || format!("{}:{}: {line}", path.display(), number + 1);
                assert!(!line.contains("super::super"), "{}", place());
                for named in line.split("plan::").skip(1) {
                    match rooms.iter().position(|other| named.starts_with(other)) {
                        Some(other) if other > at => down += 1,
                        Some(other) if other == at => {}
                        _ => up.push(place()),
                    }
                }
            }
        }
    }
    assert!(down > 10, "{down} arrows were found");
    assert!(up.is_empty(), "upwards:\n{}", up.join("\n"));
}
