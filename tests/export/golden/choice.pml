int old_1;

proctype system_1() {
    unsigned now_2 : 3 = 1;
    unsigned x_II : 3 = 4;
    unsigned rows_in_db_stg : 2;
    bit rows_in_db_stg_2;
    bit x = 1;
    unsigned x_UNCHANGED : 7;
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
    :: d_step { ((rows_in_db_stg == 2) && (x_UNCHANGED == 70) && !x) -> assert(0 == 1) }
    :: d_step { (5 < now_2) -> assert(0 == 2) }
    od
}

proctype system_2() {
    unsigned now_2 : 3 = 1;
    unsigned x_II : 3 = 4;
    unsigned rows_in_db_stg : 2;
    bit rows_in_db_stg_2;
    bit x = 1;
    unsigned x_UNCHANGED : 7;
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
    :: d_step { ((rows_in_db_stg == 2) && (x_UNCHANGED == 70) && !x) -> assert(0 == 3) }
    :: d_step { (5 < now_2) -> assert(0 == 4) }
    od
}

init {
    if
    :: run system_1()
    :: run system_2()
    fi
}
