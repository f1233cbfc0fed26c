-- CreateTable
CREATE TABLE "Node" (
    "id" TEXT NOT NULL,
    "hostName" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "version" TEXT NOT NULL,
    "roles" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "beatAt" TIMESTAMP(3) NOT NULL,
    "clockAhead" DOUBLE PRECISION NOT NULL,
    "isDraining" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Node_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Node_beatAt_idx" ON "Node"("beatAt");
