"""Entry point of `demotic`: the verbs in the order of the data flow, and errors in one line."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated

import typer

import demotic
from demotic.base.errors import DemoticError, DemoticWarning, os_error
from demotic.base.extras import missing_extra
from demotic.cli.verbs import Verbs

app = typer.Typer(
    name="demotic",
    cls=Verbs,
    help="Hierarchical machine translation with large-scale discriminative training.",
    epilog="Add --debug to any command to see the traceback of an error.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"demotic {demotic.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Options before every verb."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return 0 (success), 1 (failure), 2 (wrong usage) or 130 (interrupted)."""
    debug = "--debug" in arguments
    warnings.showwarning = _show_warning
    warnings.simplefilter("always", DemoticWarning)
    try:
        return _status([argument for argument in arguments if argument != "--debug"])
    except DemoticError as error:
        if debug:
            raise
        print(f"demotic: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("demotic: interrupted; repeat the command to resume", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): there is nothing left to write, nor to flush at exit.
        sys.stdout = None
        return 0
    except Exception as error:
        if debug:
            raise
        if isinstance(error, ModuleNotFoundError) and (missing := missing_extra(error)):
            print(f"demotic: {missing}", file=sys.stderr)
            return 1
        from demotic.cli.crash_report import report_crash

        print(report_crash(error, arguments), file=sys.stderr)
        return 1


def _status(arguments: Sequence[str]) -> int:
    """The exit status of a command whose output has been written.

    Raises:
        DemoticError: also for what the system refuses and no layer has foreseen, such as a path that is too long.
    """
    _check_encoding(arguments)
    try:
        try:
            app(arguments)
            status = 0
        except SystemExit as exit_:
            status = exit_.code if isinstance(exit_.code, int) else int(bool(exit_.code))
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except OSError as error:
        if error.filename is None and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            sys.stdout = None  # it takes no more (`> /dev/full`), not at exit either
            raise os_error(error, "standard output") from error
        if isinstance(error.filename, str):
            raise os_error(error, error.filename) from error
        raise


def _check_encoding(arguments: Sequence[str]) -> None:
    """Names and text go to the native core, which knows UTF-8 only."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError:
            raise DemoticError(
                f"not valid UTF-8: {argument[:80]!r}",
                hint="rename the file, or check the encoding of your terminal",
            ) from None


def _show_warning(message: Warning | str, category: type[Warning], *rest: object, **named: object) -> None:
    if issubclass(category, DemoticWarning):
        print(f"demotic: warning: {message}", file=sys.stderr)


def main() -> None:
    """Console script.

    BLAS gets one thread, unless the user says otherwise: on the small vectors of learners, which have threads of their own,
    its threads take twice the CPU time and save none. It reads this when numpy is loaded, which is later.
    A file of a model that another program cuts off while it is mapped ends the process with a line, not with a signal.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from demotic._core import exit_on_bus_error

    exit_on_bus_error()
    sys.exit(run(sys.argv[1:]))
