-- AlterTable
ALTER TABLE "Team" ADD COLUMN "closedAt" DATETIME;
