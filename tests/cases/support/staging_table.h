// The truth table of staging designs, written down once: what each design lets happen in each scenario. The letters are
// kinds of violation that some run shows: D duplicate, L loss, S stale; "" none.
//
// Source: the enumeration that tests/cases/staging/README.md describes, with atomic statements that never fail. Where
// the database does otherwise, the cell is an argued exception: its document carries the argument.
#pragma once

#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace oncecheck {

// (design, scenario) -> letters.
using StagingTable = std::map<std::pair<std::string, std::string>, std::string>;

inline StagingTable table_of_atomic_statements() {
    constexpr const char* kScenarios[] = {"cr", "z", "zplus", "2q", "2qplus", "bg", "td"};
    constexpr const char* kRows[][8] = {
        {"s00", "D", "D", "D", "D", "D", "D", "D"},         //
        {"s01", "D", "DL", "DL", "DL", "DL", "DL", "D"},    //
        {"s03", "", "DLS", "DLS", "LS", "LS", "DLS", "D"},  //
        {"s06", "D", "DL", "DL", "DL", "DL", "", "D"},      //
        {"s07", "", "LS", "LS", "LS", "LS", "S", ""},       //
        {"s09", "", "LS", "LS", "", "", "S", ""},           //
        {"s10", "", "LS", "LS", "", "", "", ""},            //
        {"s11", "", "DL", "DL", "", "", "", "D"},           //
        {"s15", "D", "D", "D", "", "D", "", "D"},           //
        {"s16", "", "S", "S", "", "", "S", ""},             //
        {"s18", "", "", "", "", "", "", "D"},               //
        {"s20", "", "", "", "", "", "", "D"},               //
        {"s22", "", "", "", "", "", "", ""},                //
        {"s23", "", "S", "S", "", "", "S", ""},             //
        {"s27", "", "", "", "DL", "DL", "DL", ""},          //
        {"s29", "", "S", "S", "", "", "S", ""},             //
        {"s32", "", "", "", "", "", "", ""},                //
        {"s34", "", "", "", "", "", "", ""},                //
    };
    StagingTable table;
    for (const auto& row : kRows) {
        for (std::size_t scenario = 0; scenario < std::size(kScenarios); ++scenario) {
            table.emplace(std::pair(row[0], kScenarios[scenario]), row[scenario + 1]);
        }
    }
    return table;
}

// What PostgreSQL does instead; the document of that name says why.
inline StagingTable argued_exceptions() {
    return {
        {{"s03", "2q"}, "DLS"},      // two MERGEs read before either writes, and no unique index
        {{"s03", "2qplus"}, "DLS"},  // the same
        {{"s07", "bg"}, "LS"},       // two MERGEs insert one new key: the second fails, unseen
        {{"s09", "bg"}, "LS"},       // the same
        {{"s10", "bg"}, "LS"},       // the same; the version guard compares only rows that arrive
        {{"s16", "bg"}, "LS"},       // the same
        {{"s23", "bg"}, "LS"},       // two MERGEs of one key: the second serializable transaction is aborted, unseen
        {{"s29", "bg"}, "L"},        // the next attempt's token ends the thread of the one before, unseen
    };
}

inline StagingTable staging_table() {
    StagingTable table = argued_exceptions();
    table.merge(table_of_atomic_statements());
    return table;
}

}  // namespace oncecheck
