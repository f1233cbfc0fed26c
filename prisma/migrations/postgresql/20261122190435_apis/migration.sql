-- AlterTable
ALTER TABLE "Authorization" ADD COLUMN     "resources" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "Api" (
    "identifier" TEXT NOT NULL,
    "teamId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "signingAlg" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Api_pkey" PRIMARY KEY ("identifier")
);

-- CreateIndex
CREATE INDEX "Api_teamId_idx" ON "Api"("teamId");

-- AddForeignKey
ALTER TABLE "Api" ADD CONSTRAINT "Api_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
