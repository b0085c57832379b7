"""Reports of passes: put together, and in words for the log and for people."""

from __future__ import annotations

from msgspec.structs import replace

from hippo import limits
from hippo.model.report import Report, TierFigures, TierReport


def with_tiers(draft: Report, before: dict[str, TierFigures], expected: dict[str, TierFigures],
               after: dict[str, TierFigures], moves: dict[str, tuple[int, int]]) -> Report:
    """A report with its tiers; `moves`: tier -> (in, out)."""
    return replace(draft, tiers={name: TierReport(
        target_ratio=limits.tier_ratios[name], floors=limits.tier_fidelity_floors[name], before=before[name],
        expected=expected[name], after=after[name], moved_in=moves.get(name, (0, 0))[0],
        moved_out=moves.get(name, (0, 0))[1]) for name in limits.tier_floors})


def report_text(report: Report) -> str:
    """A report for people."""
    parts = report.after
    lines = [f"{report.cause} ({report.depth}): {report.memories} memories, "
             f"{report.before.total_bytes} -> {parts.total_bytes} bytes (content {parts.content_bytes}, dictionaries "
             f"{parts.dictionary_bytes}, index {parts.index_bytes}, journal {parts.journal_bytes})"]
    for name, tier in report.tiers.items():
        now = tier.expected if report.dry else tier.after
        codecs = ", ".join(f"{codec} {count}" for codec, count in now.codecs.items())
        lines.append(
            f"  {name:4} {now.count:7} memories  {now.raw_bytes:9} raw  {now.stored_bytes:9} stored  ratio "
            f"{now.ratio:.2f} (aims at {tier.target_ratio:g})  in {tier.moved_in}, out {tier.moved_out}"
            + (f"  ROUGE-L {now.rouge_l_mean:.3f}, at least {now.rouge_l_min:.3f}" if now.rouge_l_min < 1 else "")
            + (f"  {codecs}" if codecs else ""))
    lines.append(f"  associations: {report.edges_decayed} decayed, {report.edges_pruned} pruned; "
                 f"{report.schemas_formed} memories given a schema; {report.sealed} texts written anew, "
                 f"{report.faded} of them abridged; {report.verified} verified, {report.unrecoverable} unrecoverable")
    if report.alert is not None:
        lines.append(f"  {report.alert}")
    return "\n".join(lines)
