-- CreateTable
CREATE TABLE "Operator" (
    "personId" TEXT NOT NULL,
    "grantedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Operator_pkey" PRIMARY KEY ("personId")
);

-- CreateTable
CREATE TABLE "OperatorAct" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "personId" TEXT,
    "target" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "looks" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "OperatorAct_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FactorReset" (
    "personId" TEXT NOT NULL,
    "cancelHash" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "FactorReset_pkey" PRIMARY KEY ("personId")
);

-- CreateIndex
CREATE INDEX "OperatorAct_at_idx" ON "OperatorAct"("at");

-- CreateIndex
CREATE INDEX "OperatorAct_personId_at_idx" ON "OperatorAct"("personId", "at");

-- CreateIndex
CREATE UNIQUE INDEX "FactorReset_cancelHash_key" ON "FactorReset"("cancelHash");

-- CreateIndex
CREATE INDEX "FactorReset_dueAt_idx" ON "FactorReset"("dueAt");

-- AddForeignKey
ALTER TABLE "Operator" ADD CONSTRAINT "Operator_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OperatorAct" ADD CONSTRAINT "OperatorAct_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FactorReset" ADD CONSTRAINT "FactorReset_personId_fkey" FOREIGN KEY ("personId") REFERENCES "Person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Written by hand: a search by the beginning of a name needs an index in byte order, whatever the locale of the database.
CREATE INDEX "Person_username_bytes_idx" ON "Person" ("username" COLLATE "C");
CREATE INDEX "Team_skeleton_bytes_idx" ON "Team" ("skeleton" COLLATE "C");
CREATE INDEX "App_id_bytes_idx" ON "App" ("id" COLLATE "C");
