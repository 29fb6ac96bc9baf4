#include "cli/json/stream_json.h"

#include <cmath>

#include "cli/json/result_json.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// Half-open.
Json range(const core::Stretch& s) {
  return {s.first, s.first + s.count};
}

Json ranges(const std::vector<core::Stretch>& all) {
  Json list = Json::array();
  for (const core::Stretch& s : all) {
    list.push_back(range(s));
  }
  return list;
}

// What was not measured is null, never 0.
Json figures(const core::StreamFigures& f) {
  const auto hidden = f.hidden();
  const auto told = [&hidden](double ms) { return hidden ? Json(ms) : Json(); };
  return {{"ms", f.ms},
          {"upload_ms", told(f.upload_ms)},
          {"compute_ms", told(f.compute_ms)},
          {"download_ms", told(f.download_ms)},
          {"uploaded_bytes", f.uploaded},
          {"downloaded_bytes", f.downloaded},
          {"hidden_ms", told(f.hidden_ms)},
          {"hidden_share", told(hidden.value_or(0.0))}};
}

// One array a column, in order: what a stage did from when to when, and with which load or job.
Json spans(const core::StreamLane& lane, core::StreamStage stage) {
  Json json{{"start_ms", Json::array()}, {"end_ms", Json::array()}};
  Json& part = json[stage == core::StreamStage::upload ? "load" : "job"] = Json::array();
  for (const core::StreamSpan& span : lane.spans) {
    if (span.stage == stage) {
      json["start_ms"].push_back(span.start_ms);
      json["end_ms"].push_back(span.end_ms);
      part.push_back(span.part);
    }
  }
  return json;
}

Json device(const core::StreamLane& lane, const core::StreamShare& share) {
  Json json{{"index", lane.index},
            {"name", lane.device},
            {"emulated", lane.emulated},
            {"queues", lane.queues},
            {"kernel", lane.kernel},
            {"memory_budget", lane.budget},
            {"memory_used", share.bytes},
            {"rows", range(share.rows)},
            {"chunks", ranges(share.chunks)},
            {"strips", ranges(share.strips)},
            {"panels", ranges(share.panels)},
            {"slots", {{"A", share.a_slots}, {"B", share.b_slots}, {"C", share.c_slots}}},
            {"figures", figures(lane.figures)},
            {"loads", Json::array()},
            {"jobs", Json::array()}};
  for (const core::StreamLoad& load : share.loads) {
    json["loads"].push_back({load.of == core::StreamLoad::Of::a ? "A" : "B", load.part});
  }
  for (const core::StreamJob& job : share.jobs) {
    json["jobs"].push_back({job.strip, job.panel});
  }
  json["spans"] = {{"upload", spans(lane, core::StreamStage::upload)},
                   {"compute", spans(lane, core::StreamStage::compute)},
                   {"download", spans(lane, core::StreamStage::download)}};
  return json;
}

Json input(const std::filesystem::path& file) {
  return file.empty() ? Json("seeded random") : Json(file.string());
}

}  // namespace

Json to_json(const core::StreamReport& r) {
  const core::Sizes& s = r.request.size;
  const core::Check& c = r.check;
  Json json{{"parameters", {{"M", s[0]}, {"N", s[1]}, {"W", s[2]}}},
            {"seed", r.request.seed},
            {"inputs", {{"A", input(r.request.a)}, {"B", input(r.request.b)}}},
            {"output", r.request.output.empty() ? Json() : Json(r.request.output.string())},
            {"correct", c.correct},
            {"max_error", std::isfinite(c.max_error) ? Json(c.max_error) : Json()},
            {"check",
             {{"tolerance", c.tolerance},
              {"compared", c.compared},
              {"elements", c.elements},
              {"relative_to", c.scale},
              {"method", c.method},
              {"worst", c.worst}}},
            {"label", "measured"},
            {"clock", r.clock},
            {"flops", r.flops()},
            {"tflops", r.figures.gflops * 1e-3},
            {"figures", figures(r.figures)},
            {"devices", Json::array()}};
  json["error"] = r.error ? Json(r.error->message) : Json();
  for (std::size_t i = 0; i < r.lanes.size(); ++i) {
    json["devices"].push_back(device(r.lanes[i], r.plan->shares[i]));
  }
  return json;
}

}  // namespace cli
