/* The twin of two_queries.json: the transition system that `oncecheck` searches for it with --no-slice, written by
 * hand so that SPIN has as little work as possible. Variables, actions and reachable states are the same, one to one:
 * 6,951,308 states, 24,438,186 transitions (pan counts one more, into the initial state). run_spin_benchmark compares.
 *
 * Where SPIN is given an advantage:
 *   - Rows of a table are counted up to 2. Here bit r of one byte says "at least one row of record r", of another
 *     "at least two", so INSERT ... SELECT is three operations on bytes; ours adds record by record.
 *   - A query's position is its program counter, so that pan tries only what can come next.
 *   - Asserts are compiled in only to find the violation (-DPROPERTY), not to count states.
 *
 * Records: bits 0 to 3 are cards_topic[0] to [3], bits 4 to 7 are transfers_topic[0] to [3]; two a batch. */

byte staged, staged_twice;    /* db.stg */
byte applied, applied_twice;  /* db.payments */
bit staging_exists;

/* What each query leaves in its checkpoint, and what its incarnation knows; zero while there is none. */
unsigned cards_offsets : 2, cards_commits : 2, transfers_offsets : 2, transfers_commits : 2;
bit cards_batch, cards_row0, cards_row1, transfers_batch, transfers_row0, transfers_row1;

#ifdef PROPERTY
#define NEVER(bad) assert(!(bad))
#else
#define NEVER(bad) skip
#endif

/* no-duplicate and no-loss. A query that has committed both batches has ended, so the second states are the complete
 * ones. */
#define DUPLICATE (applied_twice != 0)
#define LOSS (cards_commits == 2 && transfers_commits == 2 && applied != 255)

#define NEXT_BATCH(number, offsets, batch) \
    batch = number;                        \
    offsets = number + 1

#define STAGE(record)                                       \
    staged_twice = staged_twice | (staged & (1 << record)); \
    staged = staged | (1 << record)

#define DIES(batch, row0, row1) \
    batch = 0;                  \
    row0 = 0;                   \
    row1 = 0

/* The query whose records begin at bit `first`. */
#define QUERY(query, offsets, commits, batch, row0, row1, first)                                                    \
    active proctype query() {                                                                                       \
    end_down:                                                                                                       \
        if                                                                                                          \
        :: !(commits == 2 && offsets == 2)                                                                          \
        fi;                                                                                                         \
    creates:                                                                                                        \
        if                                                                                                          \
        :: d_step { staging_exists = 1 }                                                                            \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi;                                                                                                         \
    reads_progress:                                                                                                 \
        if                                                                                                          \
        :: d_step { commits < 2; NEXT_BATCH(commits, offsets, batch) }                                              \
        :: d_step { commits == 2 && offsets == 2; DIES(batch, row0, row1) } goto end_down                           \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi;                                                                                                         \
    truncates:                                                                                                      \
        if                                                                                                          \
        :: d_step { staging_exists; staged = 0; staged_twice = 0 }                                                  \
        :: d_step { !staging_exists; DIES(batch, row0, row1) } goto end_down                                        \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi;                                                                                                         \
    loads:                                                                                                          \
        if                                                                                                          \
        :: d_step { staging_exists && !row0 && !row1; STAGE(first + 2 * batch); row0 = 1 } goto loads               \
        :: d_step { staging_exists && !row0 && row1; STAGE(first + 2 * batch); row1 = 0 }                           \
        :: d_step { staging_exists && !row1 && !row0; STAGE(first + 2 * batch + 1); row1 = 1 } goto loads           \
        :: d_step { staging_exists && !row1 && row0; STAGE(first + 2 * batch + 1); row0 = 0 }                       \
        :: d_step { !staging_exists; DIES(batch, row0, row1) } goto end_down                                        \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi;                                                                                                         \
    inserts:                                                                                                        \
        if                                                                                                          \
        :: d_step {                                                                                                 \
               staging_exists;                                                                                      \
               applied_twice = applied_twice | staged_twice | (applied & staged);                                   \
               applied = applied | staged;                                                                          \
               NEVER(DUPLICATE)                                                                                     \
           }                                                                                                        \
        :: d_step { !staging_exists; DIES(batch, row0, row1) } goto end_down                                        \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi;                                                                                                         \
    commits_batch:                                                                                                  \
        if                                                                                                          \
        :: d_step { commits == batch && batch == 0; commits = 1; NEXT_BATCH(1, offsets, batch) } goto truncates     \
        :: d_step { commits == batch && batch == 1; commits = 2; DIES(batch, row0, row1); NEVER(LOSS) } goto end_down \
        :: d_step { commits != batch; DIES(batch, row0, row1) } goto end_down                                       \
        :: d_step { DIES(batch, row0, row1) } goto end_down                                                         \
        fi                                                                                                          \
    }

QUERY(cards_query, cards_offsets, cards_commits, cards_batch, cards_row0, cards_row1, 0)
QUERY(transfers_query, transfers_offsets, transfers_commits, transfers_batch, transfers_row0, transfers_row1, 4)
