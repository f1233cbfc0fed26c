-- AlterTable
ALTER TABLE "Team" ADD COLUMN     "closedAt" TIMESTAMP(3);
