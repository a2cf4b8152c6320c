unsigned v_1 : 3;
unsigned v_2 : 3;
unsigned v_3 : 2;
bit v_4;
bit v_5;
unsigned v_6 : 7;
int old_1;

active proctype pipeline() {
    if
    :: d_step { skip; v_1 = 1; v_2 = 4; v_3 = 0; v_4 = 0; v_5 = 1; v_6 = 0 } goto end_1
    :: d_step { skip; v_1 = 1; v_2 = 4; v_3 = 0; v_4 = 0; v_5 = 1; v_6 = 0 } goto end_2
    fi;
end_1:
    do
    /* cards: swaps db.a and db.b  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 < v_2) ->
        old_1 = v_1;
        v_1 = v_2;
        v_2 = old_1;
        old_1 = 0
    }
    /* cards: appends "rows"  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 == 4) ->
        v_1 = (v_4 -> 1 : v_3);
        v_3 = ((v_3 + v_5 + v_4) > 2 -> 2 : (v_3 + v_5 + v_4))
    }
    /* cards: counts  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        true ->
        v_6 = ((v_6 + v_1) > 70 -> 70 : (v_6 + v_1));
        v_4 = 0
    }
    /* cards (2): loses * / an answer [fault: lost-ack]  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 < v_2) && !v_4 ->
        v_4 = 1
    }
    /* cards: lets go [environment] */
    :: d_step {
        ((v_3 == 2) || v_4) ->
        v_5 = (v_1 == v_2)
    }
    :: d_step { ((v_3 == 2) && (v_6 == 70) && !v_5) -> assert(0 == 1) }
    :: d_step { (5 < v_1) -> assert(0 == 2) }
    od;
end_2:
    do
    /* cards: swaps db.a and db.b  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 < v_2) ->
        old_1 = v_1;
        v_1 = v_2;
        v_2 = old_1;
        old_1 = 0
    }
    /* cards: appends "rows"  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 == 4) ->
        v_1 = (v_4 -> 1 : v_3);
        v_3 = ((v_3 + v_5 + v_4) > 2 -> 2 : (v_3 + v_5 + v_4))
    }
    /* cards: counts  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        true ->
        v_6 = ((v_6 + v_1) > 70 -> 70 : (v_6 + v_1));
        v_4 = 0
    }
    /* cards (2): loses * / an answer [fault: lost-ack]  pipeline.json#/components/cards/foreachBatch/0 */
    :: d_step {
        (v_1 < v_2) && !v_4 ->
        v_4 = 1
    }
    /* cards: lets go [environment] */
    :: d_step {
        ((v_3 == 2) || v_4) ->
        v_5 = (v_1 == v_2)
    }
    :: d_step { ((v_3 == 2) && (v_6 == 70) && !v_5) -> assert(0 == 3) }
    :: d_step { (5 < v_1) -> assert(0 == 4) }
    od;
    skip
}
