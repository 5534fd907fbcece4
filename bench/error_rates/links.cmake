set(links cupel_judge CLI11::CLI11)
