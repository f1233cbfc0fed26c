-- CreateTable
CREATE TABLE "Operator" (
    "personId" TEXT NOT NULL PRIMARY KEY,
    "grantedAt" DATETIME NOT NULL,
    CONSTRAINT "Operator_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "OperatorAct" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "actor" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "personId" TEXT,
    "target" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "looks" INTEGER NOT NULL DEFAULT 1,
    CONSTRAINT "OperatorAct_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "FactorReset" (
    "personId" TEXT NOT NULL PRIMARY KEY,
    "cancelHash" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL,
    CONSTRAINT "FactorReset_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "OperatorAct_at_idx" ON "OperatorAct"("at");

-- CreateIndex
CREATE INDEX "OperatorAct_personId_at_idx" ON "OperatorAct"("personId", "at");

-- CreateIndex
CREATE UNIQUE INDEX "FactorReset_cancelHash_key" ON "FactorReset"("cancelHash");

-- CreateIndex
CREATE INDEX "FactorReset_dueAt_idx" ON "FactorReset"("dueAt");
