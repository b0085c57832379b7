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
encounter_gain = 0.3  # of what a recall with full activation gives: hearing again teaches less than recalling
hebb_rate = 0.2
stability_salience_days = 3.0
stability_days_max = 100_000.0
edge_floor = 0.05
edge_settled = 0.01  # a weight this close to the floor is taken for one that has reached it
edge_half_life_ticks = 60.0
associations_kept = 6
association_block_slots = 8
restate_days = 60  # after which the associations of a stretch of memories are stated anew
restate_rows = 4_096  # memories of a stretch: those that the index encodes together
ranked_at_once = 4_096  # memories or blocks, in pruning: few enough for what a processor keeps at hand
weight_steps = 250  # a weight is stored in one byte

# Tiers: the R at and above which a memory belongs to a tier
tier_floors = {"hot": 0.6, "warm": 0.35, "cool": 0.15, "cold": 0.0}
tier_ratios = {"hot": 1.0, "warm": 2.5, "cool": 5.0, "cold": 8.0}
tier_fidelity_floors = {  # ROUGE-L, char similarity, cosine
    "hot": (1.0, 1.0, 1.0), "warm": (1.0, 1.0, 1.0), "cool": (0.90, 0.85, 0.80), "cold": (0.65, 0.65, 0.50)}

exact_salience = 0.7  # from which on a memory is never abridged
fidelity_steps = 200  # a fidelity is stored in one byte, rounded down; every floor is a step
phatic_characters_max = 80  # of a sentence that tells nothing: a longer one tells something
phatic_words_left_min = 3  # in the longest sentence that stays: a text of fewer says too little to lose any
hunk_digits = 3.0  # what a hunk weighs that brings a digit; one that brings anything else weighs 1
hunk_capitals = 2.0
hunk_caseless = 1.5  # letters of a script without case
hunk_bridge_bytes = 2  # between two hunks: repeating them costs less than a further hunk
lossy_gain_min = 0.1  # what abridging has to save beyond what lossless codecs reach

# Similarity, on the reference scale
related = 0.35
near = 0.78
duplicate = 0.93
restated = 0.85  # of one entity and day
near_match = 0.5
near_matches_max = 3
preview_characters = 200
novelty_neighbours = 32
agreement_characters_max = 4_096  # a longer text is only like itself
novelty_known = 0.1  # below it a note says that it may be known
compared_at_once = 8  # new memories, before a recall is answered
neighbours_read_at_once = 64  # texts that are compared with new ones, before a recall is answered
near_matches_rows_max = 8  # of a request, for which near matches are read and shown
versions_kept = 1_024
context_observations_default = 100
consolidate_age_days = 30.0
proposals_default = 20
proposals_max = 200
messages_default = 10
forget_similarity = 0.7  # of what a description means
forget_shown_max = 50
purge_max = 100_000  # memories forgotten in one go
compared_max = 8  # nearest memories that a new one is compared with, word by word

# Codecs
prior_bytes_min = 8 * 1024  # of the shipped prior
prior_bytes_max = 32 * 1024
ppmd_order = 6  # this and the next two are part of the format
ppmd_memory_bytes = 16 * 1024 * 1024
ppmd_bytes_max = 96 * 1024  # of a prior and a block together: far from where the model's memory would run out
delta_row_bytes_min = 4 * 1024  # shorter rows are not compared
chunk_bytes_min = 64
chunk_bytes_mean = 256
chunk_bytes_max = 1024
shared_bytes_max = 64 * 1024  # of chunks that lie once in a pack
dictionary_bytes_max = 32 * 1024
dictionary_bytes_min = 2 * 1024
dictionary_corpus_bytes_min = 128 * 1024  # of an agent's texts, from which on a dictionary is tried
dictionary_sample_bytes = 512 * 1024  # of texts that one is trained from
dictionary_growth = 4  # times as much text as at the last training: time for another
dictionary_share = 6  # a dictionary is at most a sixth of the raw corpus
dictionary_rows_max = 4_000  # looked at, evenly spread
dictionary_gram_bytes = 4
dictionaries_kept_max = 64  # decoded, by whoever reads
probe_bytes_min = 2 * 1024  # shorter blocks are tried with every codec
decimal_digits_max = 4_000  # as one number; Python writes no longer ones in decimal by default

# Store
journal_segment_bytes = 8 * 1024 * 1024
journal_preallocate_bytes = 1024 * 1024
journal_preallocate_bytes_min = 4 * 1024
journal_frame_bytes_max = 16 * 1024 * 1024
group_commit_requests_max = 128
block_bytes_max = 64 * 1024  # of texts; a longer one has a block of its own
block_rows_max = 4_096  # part of the format
warm_block_bytes = 32 * 1024  # of texts, where there are more than fit one block: what has to be read quickly
block_read_bytes = 16 * 1024  # read at once where a block begins: most need no second time
pack_bytes_max = 8 * 1024 * 1024
pack_raw_bytes = 1024 * 1024  # of texts in one pack
pack_small_bytes = 64 * 1024  # of texts: a pack below is folded into whatever comes, which costs little
index_level = 19  # of zstd, for strings and short columns
index_long_level = 12  # of zstd, for columns of more than index_short_rows
index_chunk_rows = 4_096  # that are encoded together: a chunk in which nothing changed is not encoded again
index_portion_bytes = 256 * 1024  # of sections that are sent to the worker at once: a fraction of a millisecond
index_short_rows = 1_024  # of a column that is tried in every way, for a few bytes
checkpoint_changes = 4_096
seal_bytes = 32 * 1024 * 1024  # of journal: above it a pass runs before the night
compaction_log_bytes_max = 4 * 1024 * 1024
block_cache_bytes = 16 * 1024 * 1024
recent_texts_bytes = 8 * 1024 * 1024  # kept decoded, at hand for recall
cache_rows_min = 1_024  # rows of a cache that are cheap to make again
cache_share = 50  # a cache is written again when a fiftieth of it is new
lost_found_piece_bytes_max = 1024 * 1024
lost_found_bytes_max = 4 * 1024 * 1024
damage_ids_shown_max = 10
trace_word_bytes = 3  # of a word that is no everyday one, and is found where its text was forgotten
trace_bytes = 24  # of any part of such a text

# Runtime
mailbox_requests = 256
tick_seconds = 10.0
taught_at_once = 64  # memories the graph takes in before it answers a recall
latest_texts = 4_096  # of the last writes, to know again what two clients say at once
touched_rows_max = 256  # memories, and associations, in one change for the journal: a millisecond of work
ask_seconds = 60.0
garbage_objects_young = 2_000  # made before they are looked through: a fifth of a millisecond of work
writes_at_once = 1  # worked on: the others wait before they are read, so that a recall waits for none of them
turns_between_recalls = 1.5  # of writes, which take two each, for each recall that ends where recalls never cease
turns_owed_max = 2.0
turn_patience_seconds = 1.0  # that a write waits for recalls
recall_lingers_seconds = 0.010  # after its answer: who asks again at once is not overtaken by all that has gathered
shutdown_seconds = 20.0
worker_patience_seconds = 10.0  # for one call, on idle cores; most take less than one
scan_thread_memories = 20_000
search_gain = 8  # so many times less work than a scan is a search for what is nearest
link_stride_memories = 1  # in a pause: what comes next waits no longer than this takes
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
kindred_memories_max = 192  # that are looked at for schemas at once
schema_related = 0.35  # cosine of the term-frequency embedder
schema_members_min = 3
schema_token_overlap = 0.35  # measured, with the next: see text/resemblance.py
schema_trigram_overlap = 0.35
resemblance_characters_max = 4_096  # of a text, by which it is judged
resense_memories = 32  # abridged texts that the senses take over at once
verify_memories = 4_096  # texts in one verification by the worker
sleep_hour_default = 3
sleep_quiet_seconds = 600.0
sleep_latest_hours = 36.0
budget_rounds_max = 3  # of forcing memories down in one pass
budget_pass_hours = 1.0  # between two passes that only try to come below the budget
weakest_shown_max = 3


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
graph_edges_share = 8  # so many for each memory at most, the strongest
graph_schemas_share = 4  # one in so many may be there only as a schema of what is folded
label_characters = 80  # of a text, in the brain view
labels_at_once = 32  # that the reader is asked for: recalls wait for it too
port_default = 3000
timeskip_days_max = 36_500

ms_per_day = 86_400_000
edge_grid_ms = ms_per_day  # how exactly it is known when an association was set
access_grid_ms = 60_000  # and when a memory was accessed after it was made
float_grid_bits = 14  # of 24 that a stability does without
instant_ms_min = -62_135_596_800_000  # 0001-01-01T00:00:00.000Z
instant_ms_max = 253_402_300_799_999  # 9999-12-31T23:59:59.999Z
demo_page_seconds = 10.0  # that the demo waits for a page to listen before it begins
daemon_start_seconds = 30.0
free_bytes_min = 100_000_000  # on the store's disk, below which the doctor objects

# Vectors
vector_exact_rows_max = 8_192  # these are scanned as quickly
vector_candidates = 1_024
vector_signed_rows = 4_096  # signatures worked out at once
vector_likely_kept = 512  # searches that are known when they are made again

# Names
similar_names_floor = 0.7
name_word_floor = 0.8  # one letter more in three, another letter in five
name_initial_likeness = 0.8  # of an initial and a word that begins with it
name_joined_likeness = 0.95  # of names that differ in their gaps alone
name_words_at_once = 256  # compared with all others in one step

# Relevance
relation_gain = 0.5  # of a seed's activation that a relation of its entity carries on
relation_memories = 2  # the newest of a related entity
strength_per_recall = 0.02
stale_days = 30
relevance_floor = 0.5  # of a memory without salience, at its beginning
relevance_association_gain = 0.1
relevance_recent = ((30.0, 1.1), (7.0, 1.2), (1.0, 1.5))  # days since access, factor
relevance_protected = 0.5
strength_half_life_hours = 29 * 24.0
strength_resistance = 0.3
strength_ranked_min = 0.05
recency_per_day = 0.01
composite_weights = (0.6, 0.3, 0.1)  # of cosine, strength, recency

# Export and import
file_name_bytes_max = 120  # of a name without its suffix, so that whole paths stay short
digest_characters_default = 10_000  # a quarter of what Claude Code warns of
digest_line_characters_max = 400  # of one text
import_results_max = 1_000
import_failures_max = 1_000
import_rows_at_once = 100
import_characters_at_once = 1_000_000  # of texts in a batch, but for the row that fills it
role_characters_max = 50
relation_characters_max = 100
block_key_characters_max = 200
import_column_bytes_max = 16 * 1024 * 1024
import_line_bytes_max = 16 * 1024 * 1024
import_note_bytes_max = 16 * 1024 * 1024
import_unpacked_bytes_max = 8 * 1024**3
import_directory_bytes_max = 16 * 1024 * 1024
import_element_bytes_max = 64 * 1024 * 1024
import_bytes_max = 1024**3  # of a body, and of what a folder that came as an archive unpacks to
imports_at_once = 2  # bodies of imports that are taken in and worked on
import_stall_seconds = 60.0  # a client that sends nothing of its body for so long is gone
import_name_bytes_max = 255  # of a file, as most systems have it
chapter_memories = 256  # read at once for an export
import_seal_seconds = 10.0  # that an import which is cut short may take for its packs
load_memories = 50  # and taught at once by an import, with all that is known of them: in one step of the graph

# Facts
slot_characters_max = 200  # longer claims say more than one thing
fact_salience_max = 0.65  # of what is said with force; 0.7 would keep it exact for ever
fact_similarity = 0.35
facts_looked_at = 20
facts_compared = 5

# Consolidate
consolidate_memories_max = 20_000
pairs_max = 100_000
contradiction_pairs_max = 2_000
proposal_memories_max = 10
novelty_principal_share = 0.01  # of the largest singular value, as in `novelty`
redundancy_compress = 0.5
refresh_accesses_min = 3
leverage_rows_at_once = 256
cluster_cosine = 0.8
contradiction_cosine = 0.6
contradiction_overlap_max = 0.3
cosines_at_once = 4 * 1024 * 1024  # cosines that are held, 4 bytes each

# Blocks
block_characters_max = 8_000
blocks_max = 50  # of an agent

# Conversations
scanned_rows_max = 100_000  # looked at for one search
sqlite_wait_seconds = 5.0  # for a program that writes at the moment
quoted_terms_max = 64  # of a text, by which the messages that may hold it are found
messages_read_at_once = 256
message_characters_max = 1_000_000

# Knowledge
topic_characters_max = 1_000
few_memories = 5  # of which the context says how to begin
context_memories = 10  # that a topic brings to mind
sketches_max = 20  # entities of one context
sketch_observations = 5  # of an entity in a context
sketch_relations_max = 30
bootstrap_memories = 50  # an agent that has fewer is at its beginning
onboard_entities = 20
onboard_source_characters_max = 1_000

# Providers
embed_threads = 16  # that may wait for an embedding service at once
provider_connect_seconds = 5.0
provider_wait_seconds = 0.5  # before the second attempt; doubled before each further one
provider_wait_seconds_max = 8.0  # that a service may ask for
provider_answer_bytes_max = 32 * 1024 * 1024
provider_words_characters_max = 200  # of what a service said that an error repeats
embed_pieces_max = 64  # in one request
embed_piece_characters_max = 2_000  # some 500 tokens of English: what the smallest models take
calibration_knots_max = 8  # measured ones, besides both ends
calibration_margin = 0.05  # of cosine, below the lowest knot: what is less alike has nothing in common
llm_piece_characters_max = 8_000  # of a text: small services cut off what they have no room for, and do not say so
name_stem_characters = 4  # by which a name is found again in another form: `Annas`, `Katzen`
embed_seconds = 15.0  # a recall waits for it
llm_seconds = 60.0
provider_attempts_max = 4

assert retention_weight_default <= retention_weight_max <= 0.5
assert results_default <= results_max <= seeds_max
assert warm_block_bytes <= block_bytes_max < pack_bytes_max < journal_frame_bytes_max
assert journal_preallocate_bytes <= journal_segment_bytes
assert text_characters_max * 4 < body_bytes_max < journal_frame_bytes_max
assert restate_rows == index_chunk_rows
assert edge_floor < 1.0 and hop_gain < 1.0
assert 1.0 <= turns_between_recalls <= turns_owed_max
assert list(tier_floors) == list(tier_ratios) == list(tier_fidelity_floors)
assert sorted(tier_floors.values(), reverse=True) == list(tier_floors.values())
assert all(round(floor * fidelity_steps) / fidelity_steps == floor
           for floors in tier_fidelity_floors.values() for floor in floors)
assert body_bytes_max < import_bytes_max <= import_unpacked_bytes_max
