"""Draws what an experiment has found, small and plain, the same file for the same figures."""

from __future__ import annotations

from pathlib import Path

from sims.scenes.finding import Plot

_COLOURS = ("#1f5a93", "#c2571a", "#3d7d3d", "#7b4b94", "#8a6d1d", "#555555")
_STYLES = {"points": "o", "line": "-", "dashed": "--", "both": "o-"}


def draw(plot: Plot, file: Path) -> None:
    """Writes a plot as PNG.

    Raises:
        ModuleNotFoundError: matplotlib is missing; it comes with the extra `sims`.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.6, 3.4), dpi=100, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    labels = list(dict.fromkeys(series.label for series in plot.series))
    for series in plot.series:
        # A line in two pieces has one colour and one place in the legend.
        number = labels.index(series.label)
        again = any(series.label == line.get_label() for line in axes.get_lines())
        axes.errorbar(series.x, series.y, yerr=series.error, fmt=_STYLES[series.style], markersize=4, linewidth=1.4,
                      capsize=2, color=_COLOURS[number % len(_COLOURS)])
        axes.plot([], [], _STYLES[series.style], color=_COLOURS[number % len(_COLOURS)], markersize=4,
                  label="_nolegend_" if again else series.label)
    if plot.log_x:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)  # nothing that is measured here can be negative
    axes.set_title(plot.title, fontsize=10)
    axes.set_xlabel(plot.x_label, fontsize=9)
    axes.set_ylabel(plot.y_label, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    if len(labels) > 1:
        axes.legend(fontsize=8, frameon=False)
    figure.savefig(file, metadata={"Software": None})
