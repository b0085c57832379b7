"""Memories of other programs, read as rows: each format is a function `read(source) -> Iterator[Row]` in its own file.

1. A reader streams: it holds one record of its source at a time (a line, a database row, a note, a conversation), and
   each of these has a bound.
2. Rows come in the order of the source. What is wrong with one is said in its place (`BadRow`) and keeps nothing else
   back. Only a source that cannot be read at all is an error.
3. A source is read, never written, and no export is unpacked to the disk.
4. Every memory and message has a key, made of the format and of what stays the same about it: importing a source twice
   changes nothing.
5. A time that means none is a `BadRow` that names it. It never silently becomes now.
"""
