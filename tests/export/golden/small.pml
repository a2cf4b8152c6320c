/* a small system
 *
 * All states, and all properties, each with the depth of the first state that violates it:
 *     spin -a -o2 -DPROPERTIES FILE && gcc -O2 -DSAFETY -DNOREDUCE -DBFS -o pan pan.c && ./pan -c0
 * "assertion violated (0==N) (at depth D)": PROPERTY_N, and a shortest run to it has D actions.
 * -o2: variables that nothing reads tell states apart as well.
 * One property: -DPROPERTY_N in place of -DPROPERTIES; its run: ./pan && spin -t -p -g FILE.
 * Whether a complete state is reachable: -DCOMPLETE. Depth first: without -DBFS; then ./pan -m1000000.
 *
 * Properties:
 *     PROPERTY_1  0:loss:db.rows
 *     PROPERTY_2  never
 *
 * Variables:
 *     now_2             0..5  now
 *     x_II              0..5  II
 *     rows_in_db_stg    0..2  rows in db.stg|\
 *     rows_in_db_stg_2  0..1  rows in db.stg[]
 *     x                 0..1  __
 *     x_UNCHANGED       0..70  UNCHANGED
 */

unsigned now_2 : 3 = 1;
unsigned x_II : 3 = 4;
unsigned rows_in_db_stg : 2;
bit rows_in_db_stg_2;
bit x = 1;
unsigned x_UNCHANGED : 7;
int old_1;

active proctype pipeline() {
end:
    do
    /* cards: swaps db.a and db.b  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (now_2 < x_II) ->
        old_1 = now_2;
        now_2 = x_II;
        x_II = old_1;
        old_1 = 0
    }
    /* cards: appends "rows"  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (now_2 == 4) ->
        now_2 = (rows_in_db_stg_2 -> 1 : rows_in_db_stg);
        rows_in_db_stg = ((rows_in_db_stg + x + rows_in_db_stg_2) > 2 -> 2 : (rows_in_db_stg + x + rows_in_db_stg_2))
    }
    /* cards: counts  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        true ->
        x_UNCHANGED = ((x_UNCHANGED + now_2) > 70 -> 70 : (x_UNCHANGED + now_2));
        rows_in_db_stg_2 = 0
    }
    /* cards (2): loses * / an answer [fault: lost-ack]  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (now_2 < x_II) && !rows_in_db_stg_2 ->
        rows_in_db_stg_2 = 1
    }
    /* cards: lets go [environment] */
    :: d_step {
        ((rows_in_db_stg == 2) || rows_in_db_stg_2) ->
        x = (now_2 == x_II)
    }
#if defined(PROPERTIES) || defined(PROPERTY_1)
    :: d_step { ((rows_in_db_stg == 2) && (x_UNCHANGED == 70) && !x) -> assert(0 == 1) }
#endif
#if defined(PROPERTIES) || defined(PROPERTY_2)
    :: d_step { (5 < now_2) -> assert(0 == 2) }
#endif
#ifdef COMPLETE
    :: d_step { ((now_2 == 1) && x) -> assert(0 == 3) }
#endif
    od
}
