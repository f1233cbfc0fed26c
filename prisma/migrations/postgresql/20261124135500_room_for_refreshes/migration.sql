-- A refresh changes no indexed column. In a page with room for the new version of the row, PostgreSQL writes that page
-- alone (HOT); otherwise it adds an entry to each of the six indexes. Pages that are full already get room as their rows
-- move or end.
ALTER TABLE "Authorization" SET (fillfactor = 85);
