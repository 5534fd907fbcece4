// The program as a function.
#pragma once

namespace cupel::cli {

// Parses the arguments, performs the command and returns the exit code. Prints, never throws.
int run_program(int argc, char** argv);

}  // namespace cupel::cli
