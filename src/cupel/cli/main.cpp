#include "cupel/cli/program.h"

int main(int argc, char** argv) { return cupel::cli::run_program(argc, argv); }
