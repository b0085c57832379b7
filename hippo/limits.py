"""Every bound and constant of hippo, the unit last in the name. Relations between them are asserted below."""

from __future__ import annotations

# Memories
text_characters_max = 50_000
kind_characters_max = 50
entity_characters_max = 200
entity_type_characters_max = 50
source_characters_max = 100
agent_characters_max = 200
scope_characters_max = 200
conversation_characters_max = 200
tag_characters_max = 100
tags_max = 50
key_characters_max = 200
id_characters = 8
batch_memories_max = 1_000
salience_default = 0.3
salience_steps = 200  # stored in one byte, so rounded to 1/200 when given
retention_days = {"critical": 365, "reference": 180, "standard": 30, "temporary": 7}

# Recall
results_default = 5
results_max = 50
seeds_max = 64
hop_gain = 0.7
hop_gain_min = 0.01
hop_gain_travels = 0.005  # a gain below is kept where it is: what it would pass on could not be seen
hops_max = 8
fan_strength = 0.5  # the sum of a memory's weights from which on its associations share what they carry
activation_floor = 0.1
retention_weight_default = 0.03  # measured: more makes what was asked crowd out what was not
retention_weight_max = 0.5
contiguity_gain = 0.5
episode_gap_ms = 30 * 60 * 1000
fusion_lexical = 0.6
fusion_vector = 0.4
lexical_saturation = 0.9  # BM25 k1
lexical_length = 0.4  # BM25 b
lexical_window_words = 3  # within which neighbours in a cue follow each other in a phrase
lexical_slots_max = 1 << 24
term_characters_max = 64
table_header_bytes_max = 65_536
vector_rows_min = 256  # room made at the first addition
stem_words_kept = 65_536
confidence_weak = 0.25
first_associations_max = 3
similar_weight = 0.03  # of a first association, times the similarity on the reference scale
episode_weight = 0.05  # of the first association to the one before in the episode

# Plasticity
spacing_gain = 1.5
spacing_step_days = 0.1
hebb_rate = 0.2
stability_salience_days = 3.0
stability_days_max = 100_000.0
edge_floor = 0.05
edge_half_life_ticks = 60.0
associations_kept = 6
association_block_slots = 8
weight_steps = 250  # a weight is stored in one byte

# Tiers: the R at and above which a memory belongs to a tier
tier_floors = {"hot": 0.6, "warm": 0.35, "cool": 0.15, "cold": 0.0}
tier_ratios = {"hot": 1.0, "warm": 2.5, "cool": 5.0, "cold": 8.0}
tier_fidelity_floors = {  # ROUGE-L, char similarity, cosine
    "hot": (1.0, 1.0, 1.0), "warm": (1.0, 1.0, 1.0), "cool": (0.90, 0.85, 0.80), "cold": (0.65, 0.65, 0.50)}

# Similarity, on the reference scale
related = 0.35
near = 0.78
duplicate = 0.93

# Store
journal_segment_bytes = 8 * 1024 * 1024
journal_preallocate_bytes = 1024 * 1024
journal_frame_bytes_max = 16 * 1024 * 1024
group_commit_requests_max = 128
pack_block_bytes = 4 * 1024
pack_bytes_max = 8 * 1024 * 1024
pack_raw_bytes = 1024 * 1024  # of texts in one pack
index_level = 19
checkpoint_changes = 4_096
seal_bytes = 32 * 1024 * 1024  # of journal: above it a pass runs before the night
compaction_log_bytes_max = 4 * 1024 * 1024
block_cache_bytes = 16 * 1024 * 1024
cache_rows_min = 1_024  # rows of a cache that are cheap to make again
cache_share = 50  # a cache is written again when a fiftieth of it is new
lost_found_piece_bytes_max = 1024 * 1024
lost_found_bytes_max = 4 * 1024 * 1024
damage_ids_shown_max = 10

# Runtime
mailbox_requests = 256
tick_seconds = 10.0
touched_rows_max = 1_024  # memories, and associations, in one change for the journal: a few milliseconds of work
ask_seconds = 60.0
shutdown_seconds = 20.0
scan_thread_memories = 20_000
link_stride_memories = 4  # in a pause: what comes next waits no longer than this takes
link_settle_memories = 32
interpreter_switch_seconds = 0.0005  # a thread that is done waits this long for the interpreter, not 5 ms
subscriber_events = 256
replay_events = 1_024
announcements = 4_096  # that may wait for the broadcaster
heartbeat_seconds = 15.0
stdio_idle_seconds = 60.0
stdio_line_bytes_max = 4 * 1024 * 1024
stdio_requests_max = 64
stdio_connect_seconds = 5.0  # how long a relay waits for a daemon that is just starting again
stdio_drain_seconds = 10.0  # what pending answers get once the client has closed its end

# Sleep
sleep_hour_default = 3
sleep_quiet_seconds = 600.0
sleep_latest_hours = 36.0


# Interfaces
sense_at_once = 64  # texts that are embedded in one go
sense_inline = 8  # short texts that are sensed without a thread
body_bytes_max = 1024 * 1024
result_characters_default = 20_000
result_characters_min = 500
list_memories_default = 50
list_memories_max = 1_000
body_drain_bytes_max = 64 * 1024 * 1024  # read and thrown away, so that a client that still sends gets to read the 413
send_stall_seconds = 5.0  # a client that takes no byte of an answer for so long is gone
send_piece_bytes = 64 * 1024
connection_requests_max = 1_000_000  # hypercorn's default of 1,000 drops busy clients
connection_idle_seconds = 300.0
grace_seconds = 1.0  # what running requests get when the daemon shuts down
listen_backlog = 128
graph_nodes_default = 2_000
graph_nodes_max = 10_000
port_default = 3000
timeskip_days_max = 36_500

ms_per_day = 86_400_000
instant_ms_min = -62_135_596_800_000  # 0001-01-01T00:00:00.000Z
instant_ms_max = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z

assert retention_weight_default <= retention_weight_max <= 0.5
assert results_default <= results_max <= seeds_max
assert pack_block_bytes < pack_bytes_max < journal_frame_bytes_max
assert journal_preallocate_bytes <= journal_segment_bytes
assert text_characters_max * 4 < body_bytes_max < journal_frame_bytes_max
assert edge_floor < 1.0 and hop_gain < 1.0
assert list(tier_floors) == list(tier_ratios) == list(tier_fidelity_floors)
assert sorted(tier_floors.values(), reverse=True) == list(tier_floors.values())
daemon_start_seconds = 30.0
free_bytes_min = 100_000_000  # on the store's disk, below which the doctor objects
