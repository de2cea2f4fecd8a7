#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares rdmapcap's verdicts with a capture's truth, frame by frame.

    compare.py RDMAPCAP NAME.truth.json[.gz]

Runs `events`, `flows` and `stats` on the captures that the truth speaks of, found beside it. Simulated
truth (a row per frame) and two-tap truth (what both ends of a link prove) are read. Each verdict that
the truth has must be there, with its PSN, original frame, trigger and code, and no other. Where the
capture alone can't decide, more than one answer is right:

  - a late original while a NAK or a repeated READ is pending: out_of_order or retransmission
  - a resend whose trigger is not on the capture: also out_of_order or duplicate
  - the trigger: a timeout with a NAK on the capture: timeout or nak; a READ after silence: read or timeout
  - repeated READs and atomics: any earlier request is the original
  - lost READ responses: shown at any later response; lost atomic responses: shown or not
  - packets with a bad ICRC: tracked, or as if they had never come
  - copies on a second tap: any verdict

Exit status: 0 all equal, 1 differences (printed), 2 usage, 77 nothing to compare.
"""
import gzip
import json
import os
import subprocess
import sys
from collections import Counter, defaultdict

KINDS = {"gap", "retransmission", "out_of_order", "duplicate", "nak", "rnr_nak", "ce", "cnp", "pause", "icrc_bad"}
REQUEST = {"data", "read_req", "atomic_req"}
RESPONSE = {"read_resp", "atomic_resp"}
REPEATED = {"read_req", "atomic_req", "read_resp", "atomic_resp"}
CODES = {"nak_seq": "sequence", "nak_invalid": "invalid_request", "nak_access": "access",
         "nak_operational": "operational"}
TRIGGERS = {"nak_seq": "nak", "timeout": "timeout", "rnr": "rnr", "implied_nak": "read"}
# what else a trigger may be called when only the capture is known
ALSO = {"nak": {"unknown", "timeout", "rnr"}, "rnr": {"nak", "unknown", "timeout"},
        "timeout": {"unknown", "nak", "rnr", "read"}, "read": {"unknown", "timeout", "nak"},
        "unknown": {"nak", "rnr", "read", "timeout"}}
SILENCE_NS = 500_000
ACK, NAK_OPERATIONS = {"ack"}, set(CODES) | {"rnr"}


def ahead(a, b):
    """a - b in 24-bit serial arithmetic"""
    return ((a - b + 0x800000) & 0xFFFFFF) - 0x800000


class Truth:
    """What must be said of a capture (`must`: one entry each), and what may be said (`may`)."""

    def __init__(self, capture, frames):
        self.capture, self.frames = capture, frames
        self.must = []                      # (kind, frames, other kinds, {field: right values})
        self.may = set()                    # (kind, frame)
        self.any = set()                    # frames of which anything may be said

    def want(self, kind, frame, also=(), sure=True, frames=None, **fields):
        frames = frames or {frame}
        self.may |= {(k, f) for k in {kind, *also} for f in frames}
        if sure:
            self.must.append((kind, frames, set(also), fields))


# ---------------------------------------------------------------- simulated truth
class Row:
    def __init__(self, values):
        self.n, self.ts, self.tap, self.conn, self.dir, self.kind, self.opcode, self.psn, self.payload, flags = values
        self.flags = set(flags)
        self.stream = "request" if self.kind in REQUEST else "response" if self.kind in RESPONSE else None

    def has(self, *flags):
        return bool(self.flags & set(flags))


def sim_truth(doc, path):
    t = Truth(path, doc["frames_total"])
    rows = [Row(r) for r in doc["frames"]]
    conns = {c["id"]: c for c in doc["connections"]}
    sides = {}
    for r in rows:
        sides.setdefault((r.conn, r.dir), r.tap)
    rounds = {f: r for r in doc["rounds"] for f in r["frames"] + r["response_frames"]}
    gaps = {(g["frame"], g["stream"]): g for g in doc["tap_gaps"]}
    of = {d["frame"]: d["of"] for d in doc["duplicates"]}
    timers = {n["frame"]: round(n["timer_us"] * 1000) for n in doc["naks"] if n["kind"] == "rnr"}
    sim_pauses(t, doc, rows)
    copies, last, naks, after_bad, top = defaultdict(list), {}, defaultdict(list), {}, {}
    for r in rows:
        if r.conn is None or r.kind == "mad":
            t.any.add(r.n) if r.kind == "mad" else None
            continue
        again = r.has("capdup") or r.tap != sides[r.conn, r.dir]
        if r.tap != sides[r.conn, r.dir]:
            t.any.add(r.n)
            continue
        sim_marks(t, r, again, timers)
        if r.kind in NAK_OPERATIONS and not again:
            naks[r.conn, r.dir].append(r)
        if conns[r.conn]["transport"] == "UD":
            continue
        if r.stream is None:
            t.may.add(("duplicate", r.n))
            if again:
                t.may |= {("nak", r.n), ("rnr_nak", r.n)}
            t.may.add(("gap", r.n))                                 # an ACK can show lost READ responses
            continue
        key = (r.conn, r.dir, r.stream)
        earlier = copies[key + (r.psn,)]
        # The truth takes the first READ for the start of the responses; late is what a later one overtook.
        if r.stream == "response" and not earlier and (key not in top or ahead(r.psn, top[key]) > 0):
            r.flags -= {"late", "below"}
        if key not in top or ahead(r.psn, top[key]) > 0:
            top[key] = r.psn
        if again or r.has("netdup"):
            t.want("duplicate", r.n, also={"retransmission"} if r.has("retx") or naks else (),
                   sure=r.kind != "atomic_resp", original_frame={of.get(r.n), *(q.n for q in earlier)})
            continue
        sim_gap(t, r, rows, gaps.get((r.n, r.stream)))
        if after_bad.get(key):
            t.may.add(("gap", r.n))
        after_bad[key] = r.has("bad_icrc")
        requester = r.dir if r.stream == "request" else {"a2b": "b2a", "b2a": "a2b"}[r.dir]
        pending = [k for k in naks[r.conn, {"a2b": "b2a", "b2a": "a2b"}[requester]] if ahead(k.psn, r.psn) <= 0]
        quiet = r.ts - last[key].ts if key in last else 0
        sim_again(t, r, earlier, rounds.get(r.n), pending, quiet)
        earlier.append(r)
        last[key] = r
    return t


def sim_marks(t, r, again, timers):
    if r.has("ce", "ce_outer", "fecn", "becn"):
        t.want("ce", r.n, sure=r.has("ce") and not again and r.kind in REQUEST | {"read_resp", "ud"})
    if r.has("bad_icrc"):
        t.want("icrc_bad", r.n, sure=not again and not r.has("trunc"))
        t.may |= {(k, r.n) for k in KINDS}
    if r.kind == "cnp":
        t.want("cnp", r.n, sure=not again)
    if r.kind in CODES:
        t.want("nak", r.n, sure=not again, psn={r.psn}, code={CODES[r.kind]})
    if r.kind == "rnr":
        t.want("rnr_nak", r.n, sure=not again, psn={r.psn}, timer_ns={timers.get(r.n)})


def sim_gap(t, r, rows, gap):
    if gap is None or not r.has("gap"):
        if r.stream == "response":
            t.may.add(("gap", r.n))
        return
    if r.stream == "request":
        t.want("gap", r.n, sure=not r.has("bad_icrc"), first_psn={gap["psn_from"]}, count={gap["psns"]})
    else:
        shows = {q.n for q in rows if q.n <= r.n and q.conn == r.conn and q.dir == r.dir
                 and q.kind in RESPONSE | ACK | NAK_OPERATIONS and ahead(q.psn, gap["psn_to"]) > 0}
        t.want("gap", r.n, frames=shows, sure=r.kind != "atomic_resp")


def sim_again(t, r, earlier, rnd, pending, quiet):
    """Verdicts on a packet whose PSN is below the highest of its stream."""
    sure = not r.has("bad_icrc")
    if r.has("retx"):
        first = {earlier[0].n} if earlier else {None}
        if any(q.has("retx", "bad_icrc") for q in earlier):
            first |= {None, *(q.n for q in earlier)}
        told = rnd is not None and (rnd["trigger_frame"] is not None or quiet >= SILENCE_NS or bool(pending))
        right = set(ALSO) if rnd is None else sim_triggers(r, rnd, {k.kind for k in pending if k.psn == rnd["psn_from"]})
        fields = {"psn": {r.psn}}
        if r.kind not in REPEATED:
            fields["original_frame"] = first
            fields["trigger"] = right
        visible = r.has("orig_seen", "below") or earlier
        t.want("retransmission", r.n, also=() if told else {"out_of_order", "duplicate"},
               sure=bool(visible) and sure and r.kind != "atomic_resp", **fields)
    elif r.has("late"):
        t.want("out_of_order", r.n, also={"retransmission"} if pending or r.stream == "response" else (), sure=sure, psn={r.psn})
    elif r.has("below"):
        t.any.add(r.n)


def sim_triggers(r, rnd, seen):
    """What a round's trigger may be called; `seen`: the kinds of NAK that the capture has for its PSN."""
    trigger = TRIGGERS[rnd["trigger"]]
    right = {trigger} | {TRIGGERS[k] for k in seen if k in TRIGGERS}
    if trigger in ("timeout", "read") or rnd["trigger"] not in seen:
        right |= {"unknown", "timeout"}
    if trigger == "timeout" and r.kind in REPEATED:
        right.add("read")
    return right


def sim_pauses(t, doc, rows):
    priorities, sources = defaultdict(set), {}
    for p in doc["pfc"] + doc["pause"]:
        for f in p["frames"]:
            sources[f] = p["mac"]
            if "priority" in p:
                priorities[f].add(p["priority"])
    for r in rows:
        if r.kind == "pfc":
            t.want("pause", r.n, source={sources.get(r.n)}, priorities={tuple(sorted(priorities[r.n]))})
        elif r.kind == "pause":
            t.want("pause", r.n, source={sources.get(r.n)})


# ---------------------------------------------------------------- two-tap truth
def tap_truth(doc, tap, path):
    o = doc["taps"][tap]
    t = Truth(path, o["frames"])
    t.any |= {s["frame"] for s in o["strays"]} | {m["frame"] for m in o["cm"]}
    t.pauses_free = True
    for c in o["connections"]:
        for side, other in (("a_to_b", "b_to_a"), ("b_to_a", "a_to_b")):
            if c[side]:
                tap_direction(t, c[side], (c[other] or {}).get("events", {}), "FLUSH" in c[side]["messages"])
    return t


def tap_direction(t, own, peer, soft_roce_flush):
    """Soft-RoCE's FLUSH packets have a bad ICRC by the letter, which is accepted."""
    ev = own["events"]
    naks = peer.get("naks", []) + peer.get("rnr_naks", [])
    repeats = [r["frame"] for r in peer.get("retransmissions", []) if r["read_or_atomic"]]
    bad = set(ev["icrc_bad"])

    def doubt(frame, psn):
        return any(k["frame"] < frame and ahead(k["psn"], psn) <= 0 for k in naks) or any(f < frame for f in repeats)

    for g in ev["gaps"]:
        by = g.get("exposed_by")
        last = g["closed_frame"] or t.frames
        t.want("gap", g["frame"], sure=by in (None, "read_response"), first_psn={g["first_psn"]}, count={g["count"]},
               frames=set(range(g["frame"], last + 1)) if by not in (None, "read_response") else None)
    if repeats:
        t.may |= {("gap", f) for f in range(repeats[0] - 200, t.frames + 1)}
    for r in ev["retransmissions"]:
        rnd = [k for k in ev["rounds"] if k["first_frame"] and k["first_frame"] <= r["frame"] <= k["last_frame"]]
        right = set(ALSO)
        told = bool(rnd)
        if rnd and not r["read_or_atomic"]:
            right = {k["trigger"] for k in rnd}
            if any(k["trigger"] in ("timeout", "read") or not k["certain"] or k["trigger_frame"] is None for k in rnd):
                right |= set().union(*(ALSO[k["trigger"]] for k in rnd))
        fields = {"psn": {r["psn"]}, "trigger": right}
        if not r["read_or_atomic"]:
            fields["original_frame"] = {r["original_frame"]}
            if r["original_frame"] in {q["frame"] for q in ev["retransmissions"]}:
                fields["original_frame"].add(None)
            if bad:
                fields["original_frame"] |= bad
        t.want("retransmission", r["frame"], also=() if told else {"out_of_order", "duplicate"}, sure=r["visible"], **fields)
    for r in ev["out_of_order"]:
        t.want("out_of_order", r["frame"], also={"retransmission"} if doubt(r["frame"], r["psn"]) else (), psn={r["psn"]})
    for r in ev["duplicates"]:
        t.want("duplicate", r["frame"], also={"retransmission"} if naks or repeats else (), sure=False)
    for r in ev["naks"]:
        t.want("nak", r["frame"], psn={r["psn"]}, code={r["code"]})
    for r in ev["rnr_naks"]:
        t.want("rnr_nak", r["frame"], psn={r["psn"]}, timer_ns={r["timer_ns"]})
    for f in ev["icrc_bad"]:
        t.want("icrc_bad", f, sure=not soft_roce_flush)
    for f in ev["ce"]:
        t.want("ce", f, sure=False)
    for f in ev.get("cnps", ()):
        t.want("cnp", f)


# ---------------------------------------------------------------- the tool's answers
def ask(tool, command, form, capture):
    done = subprocess.run([tool, command, "--quiet", "--format", form, capture], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise SystemExit("%s %s: exit status %d: %s" % (command, capture, done.returncode, done.stderr.strip()))
    return [json.loads(line) for line in done.stdout.splitlines()] if form == "jsonl" else json.loads(done.stdout)


def compare(tool, t):
    events = [e for e in ask(tool, "events", "jsonl", t.capture) if e["kind"] in KINDS]
    faults = []
    by_frame = defaultdict(list)
    for e in events:
        by_frame[e["frame"]].append(e)
    for kind, frames, also, fields in t.must:
        found = [e for f in sorted(frames) for e in by_frame[f] if e["kind"] in {kind} | also]
        same = [e for e in found if e["kind"] == kind]
        if not found:
            faults.append("frame %s: no %s" % (span(frames), kind))
        elif same and not any(fits(e, fields) for e in same):
            faults.append("frame %s: %s is %s, should be %s" % (span(frames), kind, {k: same[0].get(k) for k in fields}, fields))
    for e in events:
        if e["frame"] in t.any or (e["kind"], e["frame"]) in t.may or (e["kind"] == "pause" and hasattr(t, "pauses_free")):
            continue
        faults.append("frame %d: %s that is none: %s" % (e["frame"], e["kind"], json.dumps(e)))
    return faults + counters(tool, t, events)


def counters(tool, t, events):
    """The three commands must tell the same story."""
    faults = []
    stats = ask(tool, "stats", "json", t.capture)
    if stats["capture"]["packets"] != t.frames:
        faults.append("stats: %s packets, should be %d" % (stats["capture"]["packets"], t.frames))
    sides = [c[d] for c in ask(tool, "flows", "json", t.capture)["connections"] for d in ("a_to_b", "b_to_a") if c[d]]
    # events that belong to a connection; what is null was not seen
    counted = Counter(e["kind"] for e in events if e.get("connection") is not None)
    for key, kind in (("retransmitted_packets", "retransmission"), ("out_of_order", "out_of_order"), ("duplicates", "duplicate"),
                      ("ce_packets", "ce"), ("icrc_bad", "icrc_bad")):
        total = sum(s[key] or 0 for s in sides)
        if total != counted[kind]:
            faults.append("flows: %s is %d in all, but there are %d events" % (key, total, counted[kind]))
    codes = Counter(e.get("code") for e in events if e["kind"] == "nak" and e.get("connection") is not None)
    codes["rnr"] = counted["rnr_nak"]
    for code in set(CODES.values()) | {"rnr"}:
        total = sum((s["naks"] or {}).get(code) or 0 for s in sides)
        if total != codes[code]:
            faults.append("flows: naks.%s is %d in all, but there are %d events" % (code, total, codes[code]))
    return faults


def fits(event, fields):
    for name, right in fields.items():
        value = event.get(name)
        if (tuple(value) if isinstance(value, list) else value) not in right:
            return False
    return True


def span(frames):
    return str(min(frames)) if len(frames) == 1 else "%d..%d" % (min(frames), max(frames))


def load_json(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        return json.load(f)


def beside(path, name):
    """A capture of the truth's folder, compressed or not; None where there is none."""
    plain = os.path.join(os.path.dirname(path), name.removesuffix(".gz"))
    return next((p for p in (plain, plain + ".gz") if os.path.exists(p)), None)


def load(path):
    doc = load_json(path)
    if "scenario" in doc:
        found = [(tap, beside(path, name)) for tap, name in doc["files"].items() if name and tap in doc["taps"]]
        return [tap_truth(doc, tap, p) for tap, p in found if p]
    if "frames" not in doc or doc["capture"]["disorder"] == "records":
        return []
    return [sim_truth(doc, beside(path, doc["file"]))]


def known_differences():
    """How many differences a capture may have: known.txt, a line each: CAPTURE NUMBER WHY"""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "known.txt")) as f:
        words = [line.split(None, 2) for line in f if line.strip() and not line.startswith("#")]
    return {w[0]: int(w[1]) for w in words}


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    truths = load(sys.argv[2])
    known = known_differences()
    failed = 0
    for t in truths:
        faults = compare(sys.argv[1], t)
        name = os.path.basename(t.capture).removesuffix(".gz")
        print("%s: %d verdicts, %d differences, %d known" % (name, len(t.must), len(faults), known.get(name, 0)))
        for fault in faults[:40]:
            print("  " + fault)
        failed += len(faults) > known.get(name, 0)
    return 77 if not truths else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
