// Deployed SQL as a step program: `"sql": "load.sql"` of a process.
//
// Each statement becomes one step, or is refused with its place; nothing is guessed. Statements between BEGIN and
// COMMIT are a transaction; others commit one by one, as a client with autocommit sends them. The grammar is that of
// PostgreSQL 15. `Step::sql` is what a client sends, with placeholders: of a transaction its BEGIN and SET TRANSACTION,
// of a swap its three renames, of a load by executors the INSERT whose `batch` is the rows of one task. What is
// understood, and what a name means, stands in the README of this folder.
#pragma once

#include <string>
#include <vector>

#include "model/document/step.h"
#include "model/errors.h"

namespace oncecheck {

// What a SQL program cannot say by itself.
struct SqlSurroundings {
    std::string store;                    // of bare table names; empty: bare names are refused
    std::vector<std::string> components;  // names that can stand before a table's
    std::string pointer;                  // of the member that names the file
    int& steps_left;                      // how many more steps may be read
};

// The program of a SQL text; `file` goes into the positions. Adds problems with the codes "sql" (no step expresses
// this), "syntax", "template", "nesting", "size" and "utf-8".
[[nodiscard]] Program read_sql_program(const std::string& text, const std::string& file,
                                       const SqlSurroundings& surroundings, std::vector<Problem>& problems);

}  // namespace oncecheck
