set(links cupel_learn CLI11::CLI11 ${CMAKE_DL_LIBS})
# What an op computes and moves, and what the machine can do, as bench_step has them.
list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/end_to_end/op_costs.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/end_to_end/yardstick.cpp
     ${CMAKE_CURRENT_SOURCE_DIR}/kernels/core_limits.cpp)
