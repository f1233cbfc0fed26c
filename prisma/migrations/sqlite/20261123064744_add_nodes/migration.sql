-- CreateTable
CREATE TABLE "Node" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hostName" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "roles" TEXT NOT NULL,
    "startedAt" DATETIME NOT NULL,
    "beatAt" DATETIME NOT NULL,
    "clockAhead" REAL NOT NULL,
    "isDraining" BOOLEAN NOT NULL DEFAULT false
);

-- CreateIndex
CREATE INDEX "Node_beatAt_idx" ON "Node"("beatAt");
