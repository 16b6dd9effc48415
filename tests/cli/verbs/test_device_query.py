"""`caffempi device_query` from the command line."""


def test_prints_what_there_is(cli):
    code, out, err = cli("device_query")
    assert (code, err) == (0, [])
    assert out[0].startswith("CPU: ") and any(line.startswith("Engine numpy: works") for line in out)


def test_a_gpu_list_that_cannot_be_read_is_an_error(cli):
    code, out, err = cli("device_query", "-gpu", "first")
    assert (code, out, len(err)) == (2, [], 1)
