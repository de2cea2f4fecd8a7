# SPDX-License-Identifier: GPL-2.0-or-later
"""What mutate.py does to the records of a capture. Each function takes a source of random numbers, the
capture as it was and the list of records, changes the list and returns the index of the first record that
may not be as it was."""


def flip_packet(rng, capture, records):
    first = len(records)
    for _ in range(rng.choice((1, 5, 50))):
        i = rng.randrange(len(records))
        if len(records[i]) > capture.head:
            changed = bytearray(records[i])
            at = rng.randrange(capture.head, min(len(changed), capture.head + rng.choice((80, 100000))))
            changed[at] ^= rng.randrange(1, 256)
            records[i] = bytes(changed)
            first = min(first, i)
    return first


def flip_header(rng, capture, records):
    i = rng.randrange(len(records))
    changed = bytearray(records[i])
    if changed:
        changed[rng.randrange(min(capture.head, len(changed)))] ^= 1 << rng.randrange(8)
    records[i] = bytes(changed)
    return i


def set_years(rng, capture, records):
    """Times that jump, to the ends of what a record of pcap can say."""
    i = rng.randrange(len(records))
    for j in range(i, len(records), rng.choice((1, 2, 9))):
        records[j] = rng.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", rng.randbytes(4))) + records[j][4:]
    return i


def cut_packet(rng, capture, records):
    """A snap length that differs by packet."""
    i = rng.randrange(len(records))
    for j in range(i, len(records), rng.choice((1, 3))):
        if len(records[j]) > capture.head:
            records[j] = capture.shortened(records[j], rng.randrange(len(records[j]) - capture.head))
    return i


def cut_file(rng, capture, records):
    i = rng.randrange(len(records))
    records[i:] = [records[i][:rng.randrange(max(1, len(records[i])))]]
    return i


def repeat(rng, capture, records):
    i = rng.randrange(len(records))
    run = records[i:i + rng.choice((1, 2, 20))]
    records[i + 1:i + 1] = run * rng.choice((1, 3))
    return i + 1


def reorder(rng, capture, records):
    i = rng.randrange(len(records))
    run = records[i:i + rng.choice((2, 8, 64))]
    rng.shuffle(run)
    records[i:i + len(run)] = run
    return i


def remove(rng, capture, records):
    i = rng.randrange(len(records))
    del records[i:i + rng.choice((1, 2, 30))]
    return i


def insert_junk(rng, capture, records):
    i = rng.randrange(len(records) + 1)
    records.insert(i, rng.randbytes(rng.choice((1, 16, 300))))
    return i


def splice(rng, capture, records):
    """The packet of one record continues with another's bytes."""
    i, j = rng.randrange(len(records)), rng.randrange(len(records))
    at = rng.randrange(capture.head, max(capture.head + 1, min(len(records[i]), len(records[j]))))
    tail = records[j][at:at + len(records[i]) - at]
    records[i] = (records[i][:at] + tail).ljust(len(records[i]), b"\0")
    return i


ALL = (flip_packet, flip_packet, flip_header, set_years, cut_packet, cut_file, repeat, reorder, remove, insert_junk,
       splice)
