#!/usr/bin/env python3
"""Puts what benchmarks measured into the tables of the READMEs, and into plots.

bench/report.py [FILE...]   in the folder of the project: merges measurements into bench/results, then writes tables and plots
bench/report.py --check     fails if these are not what bench/results has
A FILE is JSON of JMH, or of the scripts in bench/python, which write the part of it that is read here; or a folder of criterion's, target/criterion.
Several files of one JVM are rounds: times are medians over them, and so are ratios, each of which is taken within a round.
"""
import fnmatch
import html
import json
import math
import pathlib
import re
import statistics
import sys

NATIVE = "native"       # what no JVM ran
LEFT, RIGHT, BAR = 490, 860, 11      # of plots
TITLES = {"jdk17": "JDK 17", "jdk25": "JDK 25", NATIVE: "ratio"}
STYLE = """
text { font: 12px sans-serif; fill: #1f2328 } .note, .tick { font-size: 11px; fill: #59636e } .tick { text-anchor: middle } .page { fill: #ffffff }
.c0 { fill: #0969da } .c1 { fill: #8ec5ff } .c2 { fill: #9aa2ab } .goal { stroke: #d1242f; stroke-width: 2.5 }
.one { stroke: #1f2328; stroke-width: 1.5 } .grid { stroke: #d1d9e0 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .note, .tick { fill: #9198a1 } .page { fill: #0d1117 } .one { stroke: #f0f6fc } .grid { stroke: #3d444d }
.c0 { fill: #4493f8 } .c1 { fill: #1f4f99 } .c2 { fill: #656c76 } .goal { stroke: #ff7b72 } }"""


def parse(case):
    return case.split()[0], dict(pair.split("=") for pair in case.split()[1:])


def counterpart(yardstick, case, names):
    """The benchmark named as the yardstick whose parameters, but for those that the yardstick says, are those of a case; or None."""
    (name, said), (_, given) = parse(yardstick), parse(case)
    fits = (other for other in names if other.split(" ")[0] == name and not re.search(" [/-] |:", other))
    return next((other for other in fits if parse(other)[1].items() <= {**given, **said}.items()), None)


class Row:
    def __init__(self, line):
        self.text, selector, self.yardstick, self.goal, *self.peers = [cell.strip() for cell in (line + " |" * (3 - line.count("|"))).split("|")]
        selector, _, self.metric = selector.partition(":")
        self.name, self.wanted = parse(selector)
        self.most = float(re.search(r"[\d.]+", self.goal)[0]) if self.goal else math.inf
        self.is_ratio = bool(self.yardstick) and not self.goal.startswith("+")

    def key(self, case):
        """Under which name results have the measure of a case."""
        return case + (f":{self.metric}" if self.metric else f" {'/' if self.is_ratio else '-'} {self.yardstick}" if self.yardstick else "")

    def place(self, case):
        """Where a case stands in the row; None if it does not."""
        name, given = parse(case)
        hits = [[n for n, some in enumerate(values.split(",")) if fnmatch.fnmatchcase(given.get(key, ""), some)]
                for key, values in self.wanted.items()]
        return ([n[0] for n in hits], [int(n) for n in re.findall(r"\d+", case)], case) if name == self.name and all(hits) else None

    def cases(self, results):
        return [case for _, _, case in sorted(filter(None, map(self.place, {re.split(" [/-] |:", key)[0] for key in results})))]

    def measures(self, results):
        """One for each case, or several where rounds are recorded one by one."""
        values = [results.get(self.key(case), []) for case in self.cases(results)]
        return [value for some in values for value in (some if isinstance(some, list) else [some])]

    def compare(self, rounds, native):
        """Measures of which each is taken within a round, by their names."""
        for case in self.cases([case for times in rounds for case in times]) if self.yardstick else []:
            pairs = [(times[case], everything.get(counterpart(self.yardstick, case, everything)))
                     for times in rounds if case in times for everything in [{**native, **times}]]
            if all(other for _, other in pairs):
                yield self.key(case), round(statistics.median(ours / other if self.is_ratio else ours - other for ours, other in pairs), 4)

    def contenders(self, results, columns):
        """The times of all cases by each column: peers, the yardstick, this library."""
        names = (self.peers + [""] * len(columns))[:len(columns) - 2] + [self.yardstick, self.name]
        return [[results.get(name and counterpart(name, case, results)) for case in self.cases(results)] for name in names]


def read_sections(file):
    sections = {}
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            head, *columns = [cell.strip() for cell in line.split("|")]
            name, *files = re.findall(r"[\w-]+", head)
            sections[name] = (files, columns, rows := [])
        elif line and not line.startswith("#"):
            rows.append(Row(line))
    return sections


def read_measured(path):
    """Which results a file or folder belongs to, and the nanoseconds of each benchmark."""
    read = lambda file: json.loads(file.read_text("utf-8"))
    if path.is_dir():
        runs = list(path.rglob("new/benchmark.json"))
        return NATIVE, {read(run)["full_id"]: read(run.with_name("estimates.json"))["median"]["point_estimate"] for run in runs}
    times, into = {}, NATIVE
    for run in read(path):
        into = "jdk" + run["jdkVersion"].split(".")[0] if "jdkVersion" in run else into
        words = [run["benchmark"] if into == NATIVE else ".".join(run["benchmark"].split(".")[-2:])]
        name = " ".join(words + [f"{key}={value}" for key, value in sorted(run.get("params", {}).items())])
        times[name] = statistics.median(statistics.median(fork) for fork in run["primaryMetric"]["rawData"])
        times.update((f"{name}:{other.strip('·')}", value["score"]) for other, value in run.get("secondaryMetrics", {}).items())
    return into, times


def merge(paths, rows, results):
    measured, names = {}, {name.split(" ")[0] for row in rows for name in [row.name, f"{row.name}:{row.metric}", row.yardstick, *row.peers]}
    for path in paths:
        into, times = read_measured(path)
        measured.setdefault(into, []).append({key: value for key, value in times.items() if re.sub(" [^:]*", "", key) in names})
    for into in sorted(measured, key=lambda into: into != NATIVE):      # first what others are held against
        rounds = [{key: value for each in measured[into] for key, value in each.items()}] if into == NATIVE else measured[into]
        results[into].update({key: round(statistics.median(times[key] for times in rounds if key in times), 4) for each in rounds for key in each})
        for row in rows:
            results[into].update(row.compare(rounds, results[NATIVE]))


def time(nanos):
    unit, scale = ("ns", 1) if nanos < 1e4 else ("us", 1e3) if nanos < 1e6 else ("ms", 1e6)
    return f"{nanos / scale:.{3 if nanos < 10 else 1}f} {unit}"


def figures(values, most, form):
    """Up to four values one by one, more of them as a range; bold if they miss the goal."""
    text = {value: ("**{}**" if value > most else "{}").format(format(value, form)) for value in values}
    if len(values) <= 4:
        return ", ".join(text[value] for value in values) or "-"
    return " to ".join(dict.fromkeys([text[min(values)], text[max(values)]]))


def table(files, columns, rows, results):
    heads = ["operation", *columns, "ratio", "goal"] if columns else ["operation, and its alternative", "goal", *(TITLES[file] for file in files)]
    lines = [heads, ["---"] * len(heads)]
    for row in (row for row in rows if any(row.measures(results[file]) for file in files)):
        cells = [figures(row.measures(results[file]), row.most, ".2f" if row.yardstick else "g" if row.metric else ".1f") for file in files]
        if columns:
            times = [[some for some in ones if some] for ones in row.contenders(results[files[0]], columns)]
            cells = [" to ".join(map(time, sorted({min(ones), max(ones)}))) if ones else "-" for ones in times] + cells + [row.goal]
        named = lambda name: ", ".join(time(results[file][name[1]]) for file in [NATIVE, *files] if name[1] in results[file])
        lines.append([re.sub(r"\{(.+?)\}", named, row.text)] + ([] if columns else [row.goal]) + cells)
    kept = [n for n, head in enumerate(heads) if columns or head not in TITLES.values() or any(line[n] != "-" for line in lines[2:])]
    return "".join("| " + " | ".join(line[n] for n in kept) + " |\n" for line in lines) if lines[2:] else "No results are recorded yet.\n"


def plot(files, columns, rows, results):
    """The ratios to the yardstick, of each row the worst case, as bars on a logarithmic axis."""
    names, bars = [columns[-1], *columns[-3::-1]] if columns else [TITLES[file] for file in files], []
    for row in [row for row in rows if row.is_ratio]:
        ratios = [row.measures(results[file]) for file in files]
        if columns:
            *peers, yardstick, _ = row.contenders(results[files[0]], columns)
            ratios += [[a / b for a, b in zip(ones, yardstick) if a and b] for ones in peers[::-1]]
        bars += [(row, [(n, max(values)) for n, values in enumerate(ratios) if values])] * any(ratios)
    values = [1] + [value for _, some in bars for _, value in some] + [row.most for row, _ in bars if row.goal]
    low, high = math.floor(math.log2(min(values))), math.ceil(math.log2(max(values)) + 0.15)
    x = lambda value: LEFT + (RIGHT - LEFT) * (math.log2(value) - low) / (high - low)
    text = lambda style, x, y, words: f'<text {style} x="{x:.1f}" y="{y:.1f}">{html.escape(words)}</text>'
    drawn, y = [], 58
    for row, some in bars:
        top, goal = y, x(row.most) if row.goal else 0
        for n, value in some:
            left, right = sorted((x(value), x(1)))
            drawn += [f'<rect class="c{n}" x="{left:.1f}" y="{y}" width="{max(right - left, 1):.1f}" height="{BAR - 1}"/>',
                      text('class="note"', max(right, goal) + 5, y + 9, f"{value:.2f}")]
            y += BAR
        drawn += [text('text-anchor="end"', LEFT - 10, (top + y) / 2 + 4, re.sub(r"`| \(\{.*?\}\)", "", row.text)),
                  f'<path class="goal" d="M{goal:.1f} {top - 2}V{y + 1}"/>' if row.goal else ""]
        y += 9
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {y}" width="900" role="img"><style>{STYLE}</style>',
            '<rect class="page" width="100%" height="100%"/><path class="goal" d="M450 8V23"/>' + text("", 458, 20, "goal"),
            text('class="note"', 10, 20, f"time divided by that of {columns[-2] if columns else 'the alternative'}; less is better")]
    for n, name in enumerate(names):
        head += [f'<rect class="c{n}" x="{520 + 100 * n}" y="10" width="11" height="11"/>', text("", 536 + 100 * n, 20, name.replace("`", ""))]
    for n in range(low, high + 1):
        head += [f'<path class="{"grid" if n else "one"}" d="M{x(2 ** n):.1f} 50V{y}"/>', text('class="tick"', x(2 ** n), 44, f"{2 ** n:g}")]
    return "\n".join([*head, *drawn, "</svg>\n"]) if bars else ""


def main():
    bench, paths = pathlib.Path("bench"), [pathlib.Path(path) for path in sys.argv[1:] if path != "--check"]
    sections = read_sections(bench / "rows.txt")
    results = {file: {} for files, _, _ in sections.values() for file in [NATIVE, *files]}
    results.update((file.stem, json.loads(file.read_text("utf-8"))) for file in (bench / "results").glob("*.json"))
    merge(paths, [row for _, _, rows in sections.values() for row in rows], results)
    written = {bench / "results" / f"{name}.json": json.dumps(some, indent=0, sort_keys=True) + "\n" for name, some in results.items() if some}
    written.update((bench / "plots" / f"{name}.svg", drawn) for name, section in sections.items() if (drawn := plot(*section, results)))
    for page in (pathlib.Path("README.md"), bench / "README.md"):
        fill = lambda match: match[1] + table(*sections[match[2]], results)
        written[page] = re.sub(r"(<!-- table (\S+) -->\n)[^<]*(?=<!-- end -->)", fill, page.read_text("utf-8"))
    changed = [file for file, text in written.items() if not file.exists() or file.read_text("utf-8") != text]
    if changed and "--check" in sys.argv:
        raise SystemExit("bench/report.py would change " + ", ".join(map(str, changed)))
    [file.write_text(written[file], "utf-8") for file in changed]


main()
