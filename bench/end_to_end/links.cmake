set(program bench_step)
set(links cupel_lab CLI11::CLI11 ${CMAKE_DL_LIBS})
# What one core can do, as bench_kernels measures it.
list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/kernels/core_limits.cpp)
