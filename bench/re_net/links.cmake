set(links cupel_learn CLI11::CLI11)
