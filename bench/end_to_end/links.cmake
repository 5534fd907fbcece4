set(program bench_step)
set(links cupel_lab CLI11::CLI11 ${CMAKE_DL_LIBS})
# The multiply-adds of one core, as bench_kernels measures them.
list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/kernels/multiply_adds.cpp)
