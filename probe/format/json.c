// SPDX-License-Identifier: Apache-2.0
#include "format/json.h"

#include <stdio.h>

#include "base/errno_name.h"
#include "format/json_writer.h"

static void put_list(struct json_writer *w, const char *name, const struct fact *fact)
{
	json_open(w, name, '[');
	for (const char *item = NULL; (item = fact_list_next(fact, item));)
		json_text(w, NULL, item);
	json_close(w, ']');
}

static void put_value(struct json_writer *w, const char *name, const struct fact *fact)
{
	switch (fact->type) {
	case FACT_TEXT:
		json_text_n(w, name, fact->value, fact->value_len);
		break;
	case FACT_INT:
		json_int(w, name, fact->number);
		break;
	case FACT_BOOL:
		json_bool(w, name, fact->number);
		break;
	case FACT_LIST:
		put_list(w, name, fact);
		break;
	}
}

static void put_errno(struct json_writer *w, int err)
{
	char number[16];
	const char *name = errno_name(err);
	snprintf(number, sizeof(number), "%d", err);
	json_text(w, "errno", name ? name : number);
}

/* {key, value, source} or {key, status, errno, source}; key left out where the row already has it. */
static void put_fact(struct json_writer *w, const struct fact *fact, bool with_key)
{
	if (with_key)
		json_text(w, "key", fact->key);
	if (fact->status == FACT_OK) {
		put_value(w, "value", fact);
	} else {
		json_text(w, "status", fact_status_name(fact->status));
		if (fact->err)
			put_errno(w, fact->err);
	}
	json_text(w, "source", fact->source);
}

static void put_strings(struct json_writer *w, const char *name, char *const *items, size_t count)
{
	json_open(w, name, '[');
	for (size_t i = 0; i < count; i++)
		json_text(w, NULL, items[i]);
	json_close(w, ']');
}

static void put_finding(struct json_writer *w, const struct finding *finding)
{
	json_open(w, NULL, '{');
	json_text(w, "id", finding->id);
	json_text(w, "severity", severity_name(finding->severity));
	json_text(w, "title", finding->title);
	json_text(w, "consequence", finding->consequence);
	put_strings(w, "evidence", finding->evidence, finding->evidence_count);
	json_text(w, "confidence", confidence_name(finding->confidence));
	json_text(w, "remedy", finding->remedy);
	json_text(w, "who", who_name(finding->who));
	json_close(w, '}');
}

static void put_layers(struct json_writer *w, const struct profile *profile)
{
	json_open(w, "layers", '[');
	for (size_t i = 0; i < profile->layer_count; i++) {
		json_open_row(w);
		json_text(w, "id", profile->layers[i].id);
		json_text(w, "evidence", profile->layers[i].evidence);
		json_text(w, "confidence", confidence_name(profile->layers[i].confidence));
		json_close_row(w);
	}
	json_close(w, ']');
}

static void put_coverage(struct json_writer *w, const struct profile *profile)
{
	json_open(w, "coverage", '[');
	for (size_t i = 0; i < profile->coverage_count; i++) {
		const struct coverage *row = &profile->coverage[i];
		json_open_row(w);
		json_text(w, "collector", row->collector);
		json_text(w, "status", coverage_status_name(row->status));
		json_int(w, "duration_ms", row->duration_ms);
		if (row->note)
			json_text(w, "note", row->note);
		json_close_row(w);
	}
	json_close(w, ']');
}

/* What tells whose profile it is. */
static void put_head(struct json_writer *w, const struct profile *profile)
{
	json_text(w, "id", profile->id);
	json_text(w, "taken_at", profile->taken_at);
	json_int(w, "duration_ms", profile->duration_ms);
	json_open(w, "probe", '{');
	json_text(w, "version", profile->probe_version);
	json_text(w, "arch", profile->probe_arch);
	json_close(w, '}');
	json_open(w, "labels", '{');
	for (size_t i = 0; i < profile->label_count; i++)
		json_text(w, profile->labels[i].name, profile->labels[i].value);
	json_close(w, '}');
	if (profile->task)
		json_text(w, "task", profile->task);
}

void json_profile(const struct profile *profile, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_open(&w, NULL, '{');
	json_text(&w, "schema", "driftprobe.profile/1");
	put_head(&w, profile);
	put_layers(&w, profile);
	json_open(&w, "facts", '[');
	for (size_t i = 0; i < profile->fact_count; i++) {
		json_open_row(&w);
		put_fact(&w, &profile->facts[i], true);
		json_close_row(&w);
	}
	json_close(&w, ']');
	json_open(&w, "findings", '[');
	for (size_t i = 0; i < profile->finding_count; i++)
		put_finding(&w, &profile->findings[i]);
	json_close(&w, ']');
	put_coverage(&w, profile);
	json_close(&w, '}');
	buf_putc(out, '\n');
}

static void put_side(struct json_writer *w, const char *name, const struct fact *fact)
{
	if (!fact) {
		json_text(w, name, NULL);
		return;
	}
	json_open(w, name, '{');
	put_fact(w, fact, false);
	json_close(w, '}');
}

static void put_row(struct json_writer *w, const struct drift_row *row)
{
	json_open(w, NULL, '{');
	json_text(w, "key", row->key);
	json_text(w, "change", drift_change_name(row->change));
	put_side(w, "local", row->local);
	put_side(w, "remote", row->remote);
	json_text(w, "severity", severity_name(row->severity));
	json_text(w, "rule", row->rule);
	json_text(w, "title", row->title);
	json_text(w, "consequence", row->consequence);
	json_text(w, "remedy", row->remedy);
	json_text(w, "who", who_name(row->who));
	json_close(w, '}');
}

void json_drift(const struct profile *local, const struct profile *remote,
		const struct drift *drift, struct buf *out)
{
	struct json_writer w = { .out = out };
	json_open(&w, NULL, '{');
	json_text(&w, "schema", "driftprobe.diff/1");
	json_open(&w, "local", '{');
	put_head(&w, local);
	json_close(&w, '}');
	json_open(&w, "remote", '{');
	put_head(&w, remote);
	json_close(&w, '}');
	json_int(&w, "compared", (int64_t)drift->compared);
	json_int(&w, "ignored", (int64_t)drift->ignored);
	json_open(&w, "drift", '[');
	for (size_t i = 0; i < drift->count; i++)
		put_row(&w, &drift->rows[i]);
	json_close(&w, ']');
	json_close(&w, '}');
	buf_putc(out, '\n');
}
