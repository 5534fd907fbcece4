set(links cupel_data CLI11::CLI11)
