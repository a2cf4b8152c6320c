---- MODULE cards_payments_0 ----
\* cards, payments[0]
\* To check: java -cp tla2tools.jar tlc2.TLC cards_payments_0
EXTENDS Naturals

\* now               now
\* II                II
\* rows_in_db_stg    rows in db.stg|\
\* rows_in_db_stg_2  rows in db.stg[]
\* x_2               __
\* UNCHANGED_2       UNCHANGED
VARIABLES
    now,
    II,
    rows_in_db_stg,
    rows_in_db_stg_2,
    x_2,
    UNCHANGED_2

vars == <<
    now,
    II,
    rows_in_db_stg,
    rows_in_db_stg_2,
    x_2,
    UNCHANGED_2
>>

Least(x, y) == IF x < y THEN x ELSE y

TypeOK ==
    /\ now \in 0..5
    /\ II \in 0..5
    /\ rows_in_db_stg \in 0..2
    /\ rows_in_db_stg_2 \in 0..1
    /\ x_2 \in 0..1
    /\ UNCHANGED_2 \in 0..70

Init ==
    /\ now = 1
    /\ II = 4
    /\ rows_in_db_stg = 0
    /\ rows_in_db_stg_2 = 0
    /\ x_2 = 1
    /\ UNCHANGED_2 = 0

\* cards: swaps db.a and db.b  pipeline.json#/components/cards/foreachBatch/0
cards_swaps_db_a_and_db_b ==
    /\ (now < II)
    /\ now' = II
    /\ II' = now
    /\ UNCHANGED <<rows_in_db_stg, rows_in_db_stg_2, x_2, UNCHANGED_2>>

\* cards: appends "rows"  pipeline.json#/components/cards/foreachBatch/0
cards_appends_rows ==
    /\ (now = 4)
    /\ now' = (IF (rows_in_db_stg_2 # 0) THEN 1 ELSE rows_in_db_stg)
    /\ rows_in_db_stg' = Least(rows_in_db_stg + x_2 + rows_in_db_stg_2, 2)
    /\ UNCHANGED <<II, rows_in_db_stg_2, x_2, UNCHANGED_2>>

\* cards: counts  pipeline.json#/components/cards/foreachBatch/0
cards_counts ==
    /\ UNCHANGED_2' = Least(UNCHANGED_2 + now, 70)
    /\ rows_in_db_stg_2' = 0
    /\ UNCHANGED <<now, II, rows_in_db_stg, x_2>>

\* cards (2): loses */ an answer [fault: lost-ack]  pipeline.json#/components/cards/foreachBatch/0
cards_2_loses_an_answer_fault_lost_ack ==
    /\ (now < II)
    /\ ~(rows_in_db_stg_2 # 0)
    /\ rows_in_db_stg_2' = 1
    /\ UNCHANGED <<now, II, rows_in_db_stg, x_2, UNCHANGED_2>>

\* cards: lets go [environment]
cards_lets_go_environment ==
    /\ ((rows_in_db_stg = 2) \/ (rows_in_db_stg_2 # 0))
    /\ x_2' = (IF (now = II) THEN 1 ELSE 0)
    /\ UNCHANGED <<now, II, rows_in_db_stg, rows_in_db_stg_2, UNCHANGED_2>>

Next ==
    \/ cards_swaps_db_a_and_db_b
    \/ cards_appends_rows
    \/ cards_counts
    \/ cards_2_loses_an_answer_fault_lost_ack
    \/ cards_lets_go_environment

Spec == Init /\ [][Next]_vars

\* 0:loss:db.rows
Never_x0_loss_db_rows == ~((rows_in_db_stg = 2) /\ (UNCHANGED_2 = 70) /\ ~(x_2 # 0))

\* never
Never_never == ~(5 < now)

\* Settled, and progress covers every record.
Complete == ((now = 1) /\ (x_2 # 0))
====
