"""Cases of parametrized tests that take a second or more, and whose property other cases try: for the full sweep only.

Each is how the name of a test begins.
"""

LONG = (
    "test_ball_prover.py::test_a_true_claim_is_proved[q*log(q)^2",
    "test_ball_prover.py::test_a_true_claim_is_proved[(1-exp(-e))^g <= e^g",
    "test_command_line.py::test_sample_runs_every_protocol[compressed-uniformity-realistic",
    "test_compose.py::test_what_is_monotone[local --eps0 1 --n 60",
    "test_court_record.py::test_every_kept_ruling_comes_out_again[shuffled-response:values=2:n=100",
    "test_court_record.py::test_every_kept_ruling_comes_out_again[symmetric-unary:values=3:n=100",
    "test_court_shuffle.py::test_unary_encodings_are_their_words[4-2",
    "test_crosscheck_composite.py::test_noise_is_tested_given_the_values[table",
    "test_crosscheck_reuse.py::test_orders_that_are_not_random_are_found_and_named[distinct-elements",
    "test_explorer.py::test_every_protocol_answers_as_its_command[distinct-elements",
    "test_frequency.py::test_a_randomizer_is_monotone_in_eps_and_in_users[hadamard",
    "test_frequency.py::test_a_randomizer_is_monotone_in_eps_and_in_users[truncated-gaussian",
    "test_ledger.py::test_a_changed_statement_file_makes_verify_fail[cantelli",
    "test_plan.py::test_the_claims_of_a_plan[plan distinct-elements --n 8",
    "test_plan.py::test_the_claims_of_a_plan[plan distinct-elements --n 200",
    "test_plan.py::test_the_claims_of_a_plan[plan frequency",
    "test_plan.py::test_the_figure_has_the_values_of_accuracy[plan distinct-elements",
    "test_privacy_command.py::test_large_pools_are_known_from_both_sides[--n 1100",
    "test_shuffle_likeness.py::test_a_bad_shuffle_is_named[the same in every run",
    "test_shuffled_bounds.py::test_both_ends_are_close[2-0.001-1000000",
    "test_study.py::test_a_plan_is_the_protocol_of_choice_with_its_error[uniformity",
    "test_study_results.py::test_the_kept_results_are_those_of_the_study[deployers",
    "test_tester_ending.py::test_a_wrong_end_is_found_and_named[at random",
    "test_tester_ending.py::test_a_wrong_end_is_found_and_named[no dummies",
    "test_tester_ending.py::test_a_wrong_end_is_found_and_named[tau",
    "test_tester_ending.py::test_right_runs_are_consistent_and_nothing_of_the_output_is_left_out[pan-uniformity-late",
    "test_two_pools.py::test_random_backgrounds_of_many_users_are_not_above[3",
    "test_two_pools.py::test_random_backgrounds_of_many_users_are_not_above[4",
    "test_two_pools.py::test_random_backgrounds_of_many_users_are_not_above[5",
    "test_views_poisson.py::test_pan_uniformity_is_bounded[1",
)
